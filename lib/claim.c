#define _GNU_SOURCE /* memmem, strncasecmp */
#include "claim.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buf.h"
#include "jvx.h"
#include "prog.h"
#include "re.h"
#include "utf8.h"

enum { FOUND = 100, CITES = 200, PATTERNS = 160, PHRASE_BYTES = 160, SENTENCE_BYTES = 4000 };

/* Words that patterns share. */
#define SUBJECT                                                                                    \
	"(?:apis?|backend|server|network|requests?|calls?|quer(?:y|ies)|mutations?|graphql|"       \
	"endpoints?|responses?|fetch(?:es)?|service|data)"
#define ELEMENT                                                                                    \
	"(?:elements?|tables?|rows?|buttons?|headings?|components?|pages?|lists?|dialogs?|"        \
	"modals?|it|they|ui|content|banners?|panels?|widgets?|forms?|texts?|alerts?|links?|"       \
	"items?|menus?|cards?|charts?|views?|locators?|[a-z]*(?:table|list|panel|dialog))"
#define APPEAR                                                                                     \
	"(?:render|appear|load|show(?: up)?|mount|display|paint|become visible|be rendered|"       \
	"be displayed|be visible|update|hydrate|open)"
#define LOST                                                                                       \
	"(?:loaded|finished|arrived|ready|completed?|rendered|hydrated|returned|resolved|come|"    \
	"came|appeared|settled|mounted|populated|available)"

struct phrase {
	enum claim_kind kind;
	const char *pattern;
};

/*
 * t/t1000-rca-check/phrasings.tsv says what each is for.  Order is the order of trial; the first
 * asserted match of a kind in a sentence counts.
 */
static const struct phrase phrases[] = {
    {CLAIM_TIMING,
	"\\btiming(?:[- ](?:related|based|dependent|sensitive))?[- ](?:issues?|problems?|"
	"bugs?|errors?|failures?|glitch(?:es)?|matter|flakes?|windows?|conflicts?|"
	"conditions?|mismatch(?:es)?|hazards?|quirks?|races?|sensitivity|differences?)\\b"},
    {CLAIM_TIMING, "\\btiming[- ](?:related|dependent|sensitive)\\b"},
    {CLAIM_TIMING,
	"\\b(?:due to|because of|caused by|matter of|question of|comes? down to|boils? down to|"
	"down to|blame|blamed on|purely|simply|just|is|was|issue with|problem with|problem of|"
	"issue of|attributed to|attributable to|result of) "
	"(?:the |bad |poor |a |an |some |test |page |unlucky |unfortunate )*timing\\b"},
    {CLAIM_TIMING, "\\brace[- ]conditions?\\b"},
    {CLAIM_TIMING, "\\b(?:a|the|data|some kind of|classic|subtle) race\\b(?! "
		   "?-?(?:free|results?|track|cars?|day|page|list|number|calendar|event|time)\\b)"},
    {CLAIM_TIMING, "\\brac(?:y|ing)\\b|\\braces? (?:with|between|against)\\b"},
    {CLAIM_TIMING, "\\bflak(?:y|iness|es?|ey)\\b"},
    {CLAIM_TIMING, "\\bintermittent(?:ly)?\\b|\\bnon[- ]?determinis(?:m|tic)\\b|\\btransient\\b"},
    {CLAIM_TIMING, "\\btoo (?:early|soon|quickly|fast)\\b"},
    {CLAIM_TIMING, "\\bbefore (?:the |its |any |all |that )?(?:[a-z-]+ ){0,4}?(?:had |has |have "
		   "|is |was |were |"
		   "could |can |fully |been |be )*" LOST "\\b"},
    {CLAIM_TIMING,
	"\\b(?:did not|didn't|does not|doesn't|had not|hadn't|never) "
	"(?:properly |really |actually )?wait(?:ed|s)? (?:long )?(?:enough|for|until)\\b"},
    {CLAIM_TIMING, "(?:\\bnot|n't) wait(?:ing)? (?:long )?(?:enough|for|until)\\b|"
		   "\\bwithout (?:first )?waiting\\b|\\bmissing (?:a )?waits?\\b|"
		   "\\black(?:s|ed)? (?:of )?(?:a |an |any |proper |explicit )*(?:wait|waiting|"
		   "synchroni[sz]ation)\\b"},
    {CLAIM_TIMING, "\\b(?:slow|delayed|late|sluggish|lagging|overloaded) (?:[a-z]+ ){0,2}?"
		   "(?:response|request|network|api|backend|server|query|call|ci|runner|machine|"
		   "environment|connection|page load|loading)s?\\b"},
    {CLAIM_TIMING,
	"\\b" SUBJECT "(?: [a-z/.]+){0,3}? (?:is|was|were|took|takes|came|comes|arrived|"
	"arrives|responded|returned|resolved|answered|being) (?:(?!not )[a-z]+ ){0,2}?"
	"(?:slow(?:ly|er)?|sluggish|late|delayed|too long|longer than|after the (?:timeout|"
	"assertion|expect|check))\\b"},
    {CLAIM_TIMING,
	"\\b(?:network|api|server|backend|response|ci) (?:delays?|latency|slowness|lag)\\b|"
	"\\blatency\\b"},
    {CLAIM_TIMING, "\\b(?:did not|didn't|could not|couldn't|failed to|fails to|unable to|not) "
		   "(?:[a-z]+ ){1,3}?in time\\b"},
    {CLAIM_TIMING,
	"\\b(?:synchroni[sz]ation|async(?:hronous)?|concurrency) (?:issue|problem|bug|gap)s?\\b"},
    {CLAIM_TIMING, "(?:\\bnot|n't) (?:have |give |given |enough |be given )*enough time\\b|"
		   "\\b(?:needs?|needed|requires?) (?:a (?:bit|little) )?more time\\b|"
		   "\\btoo little time\\b|\\binsufficient (?:time|wait(?:ing)?|timeout)\\b"},
    {CLAIM_TIMING, "\\btime-?out (?:is|was|of [0-9a-z ]+ (?:is|was)) (?:too|not) "
		   "(?:short|low|small|tight|long enough|aggressive|strict)\\b|"
		   "\\btoo (?:short|low|small|tight|aggressive) (?:a )?time-?out\\b"},
    {CLAIM_TIMING, "\\b(?:page|app|application|test|data|response) (?:[a-z]+ )?(?:was|is|were) "
		   "(?:not|n't) (?:yet )?(?:ready|loaded|hydrated)\\b|\\b(?:wasn't|isn't) (?:yet )?"
		   "(?:ready|loaded|hydrated)\\b"},

    {CLAIM_TIMING, "(?:^|[.;] ?)timing:|\\b(?:needs? to|should|must|has to|have to|ought to) "
		   "(?:first )?wait\\b"},
    {CLAIM_TIMING, "\\bdelays? (?:in|of|from|by) (?:the "
		   ")?(?:backend|server|api|network|responses?|requests?)\\b"},
    {CLAIM_TIMING,
	"\\bhydration (?:had|has|was|is)(?: not|n't) (?:yet )?(?:been )?(?:complete|finish|done)"},
    {CLAIM_TIMING, "\\b(?:sometimes|occasionally|sporadic(?:ally)?|randomly) "
		   "(?:fail(?:s|ed|ure)?|pass(?:es|ed)?|"
		   "breaks?)\\b|\\bsporadic\\b"},
    {CLAIM_TIMING, "\\bresource contention\\b|\\bunder (?:heavy |high "
		   ")?load\\b|\\boverload(?:ed)?\\b|\\bstarv(?:ed|ation)\\b"},

    {CLAIM_TIMING,
	"\\boutpac(?:es?|ed|ing)\\b|\\bahead of (?:the )?(?:hydration|render(?:ing)?|loading|"
	"responses?|data|requests?)\\b|\\bfaster than the (?:ui|page|app|application|browser|data|"
	"responses?|backend|render(?:ing)?|network)\\b"},
    {CLAIM_TIMING,
	"\\b(?:assert[a-z]*|expect[a-z]*|checks?|clicks?|ran|executed|evaluated|fired|performed|"
	"happened) (?:[a-z]+ ){0,2}?prematurely\\b|\\bpremature "
	"(?:assert|check|click|expect)[a-z]*"},
    {CLAIM_TIMING,
	"\\b(?:unstable|unreliable|brittle) (?:[a-z]+ )?(?:tests?|waits?|environment|ci)\\b|"
	"\\btests? (?:is|are|was|seems|appears)(?: to be)? (?:unstable|unreliable|brittle)\\b|"
	"\\binstability of the (?:test|environment)\\b|\\bheisenbug\\b"},
    {CLAIM_TIMING, "\\blag(?:s|ged|ging)? (?:behind|between)\\b|\\beventual(?:ly)? consisten|"
		   "\\btemporal coupling\\b"},
    {CLAIM_TIMING,
	"\\b" SUBJECT "(?: [a-z/.]+){0,2}? (?:(?:had|has|have) not|hadn't|hasn't|"
	"haven't) (?:yet )?(?:been )?(?:answered|fetched|" LOST ") (?:when|by the time|at "
	"(?:the|that) (?:time|moment|point))\\b"},
    {CLAIM_TIMING, "(?:\\bnot|n't) (?:be )?(?:a?waited) long enough\\b"},
    {CLAIM_TIMING,
	"\\b(?:tests?|assertions?|expect|checks?|clicks?|steps?) (?:[a-z]+ ){1,3}?before (?:the |"
	"its |any |all )?(?:[a-z-]+ ){0,3}?(?:arrives?|completes?|finish(?:es)?|loads?|"
	"resolves?|returns?|renders?|settles?|answer(?:s|ed)|mounts?)\\b"},
    {CLAIM_TIMING, "(?:^|because )of (?:the |bad |poor |unlucky )*timing\\b|"
		   "\\b(?:bad|poor|unlucky|unfortunate|wrong) timing\\b"},
    {CLAIM_TIMING, "\\border in which [^.;]{0,60}\\b(?:not guaranteed|undefined|varies|"
		   "unpredictable|random)\\b"},
    {CLAIM_TIMING, "\\b(?:render(?:ing)?|async(?:hronous)?|network|requests?|navigation|hydration|"
		   "loading) race\\b|\\brac(?:e[sd]?|ing) each other\\b"},
    {CLAIM_TIMING, "\\bwhile (?:the )?(?:[a-z]+ )?(?:data|responses?|requests?|query|fetch) "
		   "(?:was|is|were|are) "
		   "(?:still )?(?:being )?(?:fetched|loaded|loading|pending|in flight|running)\\b"},
    {CLAIM_TIMING, "\\btime-?out (?:(?:is|was) (?:not (?:enough|sufficient|adequate)|"
		   "insufficient|inadequate)|(?:isn't|wasn't) (?:long )?(?:enough|sufficient))\\b"},

    {CLAIM_SLOW_ELEMENT, "\\b" ELEMENT " (?:is|was|were) still (?:pending|on (?:its|the) way|in "
			 "progress)\\b"},
    {CLAIM_SLOW_ELEMENT, "\\b" APPEAR "(?:s|e?d)? (?:only )?(?:after|with) (?:a|some) "
			 "(?:[a-z]+ )?delay\\b"},
    {CLAIM_SLOW_ELEMENT, "\\b(?:takes?|took) time to " APPEAR "\\b"},
    {CLAIM_SLOW_ELEMENT, "\\b(?:was|is|were) (?:just )?(?:mounting|rendering|loading|hydrating|"
			 "initiali[sz]ing) when\\b|\\bin the process of (?:mounting|rendering|"
			 "loading|hydrating|appearing)\\b"},
    {CLAIM_SLOW_ELEMENT, "(?:\\bnot|n't) (?:there|present|available|in the (?:dom|page)|ready|on "
			 "(?:the )?(?:page|screen)) yet\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b(?:skeleton|spinner|loader|loading (?:indicator|state|message))s? "
	"(?:is|was|were) still (?:displayed|shown|visible|there|present|spinning)\\b"},

    {CLAIM_TIMING, "\\bhiccups?\\b|\\b(?:network|momentary|temporary|ci) glitch(?:es)?\\b"},
    {CLAIM_TIMING, "\\b(?:assertion|expect|check|click|test) (?:beats?|beat|gets? there before|got "
		   "there before|was faster than|ran ahead of|overt(?:akes|ook))\\b"},
    {CLAIM_TIMING, "\\b(?:page|app|application|data|response)(?: [a-z]+)? (?:was|is|were) not "
		   "(?:yet )?(?:fully|completely|entirely) (?:ready|loaded|hydrated)\\b"},
    {CLAIM_TIMING, "(?:\\bnot|n't) (?:allow|leave|provide)(?:ing)? enough time\\b|\\bwaits? "
		   "(?:is|was|were|are) (?:too (?:short|brief)|not long enough)\\b"},
    {CLAIM_TIMING,
	"\\b(?:more time|longer) than the (?:[a-z]+ ){0,2}?time-?out\\b|\\b" SUBJECT
	"(?: [a-z]+){0,2}? (?:exceed(?:s|ed)?|outlast(?:s|ed)?) the (?:[a-z]+ ){0,2}?time-?out\\b"},
    {CLAIM_TIMING,
	"\\b(?:ci|runners?|machines?)(?: [a-z]+)? (?:is|are|was|were) (?:[a-z]+ )?slow(?:er)?\\b"},
    {CLAIM_TIMING, "\\b(?:sensitive to|depend(?:s|ed|ent|ing)? (?:up)?on) (?:the "
		   ")?timing\\b|\\bdepend(?:s|ed|ing)? on which (?:[a-z]+ "
		   "){1,3}?(?:first|sooner|earlier)\\b|\\bconcurrency (?:between|among|of)\\b"},
    {CLAIM_TIMING, "\\b(?:failures?|tests?|errors?|behaviou?r) "
		   "(?:is|are|was|occurs?|happens?|seems|appears|fails) (?:at "
		   ")?random(?:ly)?\\b|(?:\\bnot|n't) (?:reliably |consistently )?reproducible\\b"},
    {CLAIM_TIMING,
	"(?:\\bnot|n't) synchroni[sz]ed? with\\b|\\b(?:tests?|assertions?|spec) (?:does "
	"not|doesn't|did not|didn't|never) "
	"waits?(?=[.;,]|$)|\\b(?:debounce|throttle|animation|transition)[a-z]* (?:(?:had|has) "
	"not|hadn't|hasn't) (?:yet )?(?:fired|finished|ended|settled|elapsed|run)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"(?:\\bnot|n't) (?:yet )?becom(?:e|ing) (?:visible|available|ready|enabled) (?:yet|in "
	"time|fast enough|soon enough)\\b|\\babout to (?:be "
	")?(?:render|appear|mount|show|display|load)(?:ed|n)?\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b" ELEMENT
	" (?:would have |will |would )?(?:appear|show|render|load|mount)[a-z]* (?:up )?(?:only "
	")?(?:(?:a )?(?:moment|little|bit|seconds?|milliseconds?|shortly|slightly|much) "
	")?(?:later|eventually|afterwards)\\b"},
    {CLAIM_SLOW_ELEMENT, "\\b(?:takes?|took|taking) (?:too |so |far too )?much time to " APPEAR
			 "\\b|\\b(?:spinner|skeleton|loader|loading (?:indicator|spinner|state))s? "
			 "(?:(?:had|has|was) not|hadn\\'t|hasn\\'t) (?:yet "
			 ")?(?:gone|disappeared|vanished|finished|cleared)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b(?:rendering|mounting|painting|loading) (?:(?:had|has|was|is) "
	"not|hadn't|hasn't|wasn't|isn't) (?:yet )?(?:been )?(?:finished|completed?|done|over)\\b"},
    {CLAIM_SLOW_ELEMENT, "\\bslow(?:ly)?[- ](?:to )?(?:[a-z]+ )?(?:render(?:s|ed|ing)?|elements?|"
			 "components?|tables?|mount(?:s|ed|ing)?|appear(?:s|ed|ing)?|load(?:s|ed)?|"
			 "show|display|paint(?:s|ed|ing)?|ui|page)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b" ELEMENT " (?:[a-z]+ ){0,3}?(?:is|was|were|are|being|renders?|rendered|"
	"appears?|appeared|loads?|loaded|shows?|showed|shown|mounts?|mounted|"
	"displayed) (?:(?!not )[a-z]+ )?(?:slow(?:ly)?|late|delayed|later than)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b(?:takes?|took|taking|needs?|needed) (?:too |far too |much )?(?:long(?:er)?|a while|"
	"some time|more time|extra time|additional time|several seconds)(?: [a-z0-9]+){0,4}? "
	"(?:to |before |until )?(?:it |they )?" APPEAR "s?\\b"},
    {CLAIM_SLOW_ELEMENT,
	"(?:\\bnot|n't|\\bnever) (?:[a-z]+ )?yet (?:been )?(?:[a-z]+ )?(?:rendered|"
	"appeared|visible|mounted|attached|available|present|shown|displayed|there|"
	"loaded|ready|painted|in the (?:dom|page))\\b"},
    {CLAIM_SLOW_ELEMENT,
	"(?:\\bnot|n't) (?:rendered|appeared|visible|mounted|loaded|shown|displayed|"
	"attached|been rendered|been mounted|been displayed|finished [a-z]+ing|"
	"finished|completed [a-z]+ing) yet\\b|(?:\\bnot|n't) (?:finished|completed|"
	"done) (?:rendering|loading|mounting|painting)\\b"},
    {CLAIM_SLOW_ELEMENT, "(?:\\bnot|n't) (?:been )?(?:added|inserted|attached|put) (?:in)?to the "
			 "(?:dom|page) yet\\b|"
			 "\\b(?:rendering|mounting|painting) (?:was|is|took) (?:too "
			 ")?(?:slow|late|long|delayed)\\b"},
    {CLAIM_SLOW_ELEMENT, "\\b(?:had|has|have) yet to " APPEAR "\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\bstill (?:being )?(?:loading|rendering|mounting|rendered|loaded|mounted|"
	"fetching|hydrating|initiali[sz]ing)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b" APPEAR "(?:s|ed|d)? (?:too )?(?:late|slowly|later than|after the (?:timeout|"
	"assertion|expect|check))\\b"},
    {CLAIM_SLOW_ELEMENT,
	"(?:\\bnot|n't|\\bfailed to|fails to|unable to) " APPEAR "(?:ed)? (?:in time|fast "
	"enough|quickly enough|soon enough|early enough)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b(?:late|delayed|lazy|lagging) (?:render(?:ing)?|mount(?:ing)?|appearance|"
	"element|component)\\b|\\brender(?:ing)? (?:delay|lag|latency|speed)\\b"},

    {CLAIM_API_SUCCEEDED,
	"\\b" SUBJECT "(?: [a-z0-9/._-]+){0,4}? (?:succeed(?:s|ed)?|(?:was|were|is|are|has been|"
	"have been|completed?|returned|returns|responded|responds|finished|went|came back|answered|"
	"worked|works|executed|resolved|behaved|loaded)(?: [a-z0-9]+){0,3}? "
	"(?:success(?:ful(?:ly)?)?|"
	"fine|ok(?:ay)?|correct(?:ly)?|normal(?:ly)?|healthy|without (?:any )?(?:errors?|problems?|"
	"issues?|failures?)|as expected|properly|well|through))\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b[a-z]*[A-Z][a-zA-Z]+ (?:query |mutation |operation )?(?:succeeded|"
	"was successful|completed successfully|returned successfully|worked fine)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\bsuccessful(?:ly)? (?:api|network|graphql|http|backend|server|returned|"
	"completed|response|request|call|quer)[a-z]*\\b"},
    {CLAIM_API_SUCCEEDED, "\\bno (?:network|api|graphql|backend|server|request|http)(?:-side| "
			  "side)? (?:errors?|failures?|"
			  "problems?|issues?)\\b|\\bno (?:errors?|failures?|problems?) "
			  "(?:in|from|on|at) the (?:network|"
			  "api|backend|server|graphql)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:network|api|backend|server|graphql)(?: layer| side| level)? (?:is|was|"
	"looks|seems|appears)(?: to be)? (?:fine|ok|healthy|clean|good|working|innocent|"
	"not (?:at fault|the problem|to blame|involved))\\b"},
    {CLAIM_API_SUCCEEDED, "\\b(?:network|api|server|backend)(?: [a-z]+)? "
			  "(?:shows?|has|had|reports?|contains?|lists?) "
			  "no (?:errors?|failures?|problems?|failed requests)\\b"},
    {CLAIM_API_SUCCEEDED, "\\bnothing (?:is |was )?wrong with the (?:api|backend|server|network|"
			  "responses?|requests?|quer(?:y|ies))\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:all|every|each)(?: of)?(?: the)?(?: [a-z]+){0,2}? (?:requests?|calls?|"
	"quer(?:y|ies)|responses?|operations?) (?:[a-z]+ ){0,2}?(?:returned|answered|"
	"came back|got|had|have|with|received|return|completed)(?: [a-z]+){0,3}? "
	"(?:200|2xx|ok)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:status(?: code)? )?(?:http )?200(?: ok)?,? (?:so|which means|meaning|"
	"therefore|hence|means|shows|proves|confirms|indicates|indicating|showing)\\b"},
    {CLAIM_API_SUCCEEDED, "\\bsuccess(?:ful)? \\(?(?:http )?(?:status )?200\\b"},

    {CLAIM_API_SUCCEEDED,
	"\\b" SUBJECT
	"(?: [a-z]+){0,2}? (?:looks?|seems?|appears?)(?: to (?:be|have been))? (?:fine|"
	"ok(?:ay)?|healthy|clean|good|normal|successful)\\b"},
    {CLAIM_API_SUCCEEDED, "\\b" SUBJECT " (?:did|does|do|was doing|is doing) (?:(?:its|their) "
			  "(?:job|part|work)|what (?:it|they) should)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:requests?|calls?|queries|responses?|operations?) (?:all|each) "
	"(?:had|have|got|returned|show|carry) (?:[a-z]+ ){0,3}?(?:200|2xx|ok)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b" SUBJECT " (?:was|were|is|are|has been|have been|got) (?:accepted|"
	"honou?red)\\b|\\b(?:server|backend|api) (?:accepted|honou?red) (?:the|its|"
	"all|every|each)\\b|\\b(?:server|backend|api) (?:processed|handled|"
	"executed|served) (?:[a-z]+ ){1,4}?(?:successfully|correctly|properly|"
	"fine|without (?:errors?|problems?))\\b"},
    {CLAIM_API_SUCCEEDED, "\\b" SUBJECT "(?: [a-z]+){0,2}? (?:deliver|return|provide|send|sent|"
			  "serve|supplie)(?:s|ed|d)? (?:the |all |its )?(?:correct|valid|right|"
			  "expected|proper|complete|sound) (?:[a-z]+ )?(?:data|responses?|results?|"
			  "payloads?|answers?|values?|body)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:exclude|rule out) (?:an? |the |any )?(?:api|backend|server|network|graphql)(?: "
	"[a-z]+)? (?:failures?|errors?|problems?|issues?)\\b|\\b(?:api|backend|server|network|"
	"graphql)(?: [a-z]+)? (?:can|could|may) be (?:[a-z]+ly )?(?:ruled out|excluded|"
	"exonerated)\\b"},
    {CLAIM_API_SUCCEEDED, "\\bnot (?:caused by|due to|because of|the fault of) (?:the |an? |any "
			  ")?(?:api|backend|server|network|graphql)\\b(?! (?:latency|delays?|lag|"
			  "slowness|timing|speed))"},
    {CLAIM_API_SUCCEEDED, "\\b(?:network|api|backend|server|graphql)(?: layer| side)? (?:is|was) "
			  "not (?:the (?:culprit|cause|issue|reason)|guilty|responsible)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:all|every)(?: [a-z]+){0,2}? (?:traffic|requests?|calls?) (?:is|are|"
	"was|were) (?:all )?green\\b|\\bno fail(?:ed|ing) (?:network |api "
	")?(?:requests?|calls?|queries)\\b|"
	"\\bnone of the (?:requests|calls|queries|operations) failed\\b"},

    {CLAIM_API_SUCCEEDED,
	"\\b(?:backend|api|server|service|endpoint)(?: calls?)? work(?:s|ed)\\b(?! "
	"(?:around|on|with))|\\bresponses? (?:indicates?|signals?|means?) "
	"success\\b|\\bsuccessfully by the (?:api|server|backend)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b200\\b[^.;]{0,20}?\\b(?:requests?|calls?|mutations?|quer(?:y|ies)|it) "
	"(?:worked|succeeded|went through|was applied|was executed)\\b|\\b200 "
	"(?:response|status|answer) (?:shows|means|proves|confirms|indicates)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:problem|fault|issue|cause|bug|error) (?:is|lies|was|sits)(?: [a-z ]{1,30},)? not "
	"(?:in|with|on|at) the (?:api|backend|server|network|graphql)\\b"},
    {CLAIM_API_SUCCEEDED, "\\bno errors? (?:was|were|is|are) (?:returned|reported|sent) by the "
			  "(?:api|backend|server)\\b|\\b(?:api|server|backend|graphql|responses?) "
			  "(?:returned|returns|reported|reports|sent|gave|contained|contains|"
			  "showed|shows) no errors?\\b"},
    {CLAIM_WAIT, "\\bwait_?for_?timeout(?:async)?\\b|\\bset_?timeout\\b(?= ?\\()|\\b(?:thread|time|"
		 "asyncio)\\.sleep\\b|\\bsleep ?\\(|\\bnetwork[_ ]?idle[0-9]?\\b"},
    {CLAIM_WAIT, "\\bwait_?until['\"]? ?[:=] ?['\"]network_?idle"},
    {CLAIM_WAIT,
	"\\bsleep(?:ing|s)? (?:for )?(?:a|an|one|two|three|four|five|ten|half|some|several|"
	"briefly|[0-9.]+)\\b|\\bpaus(?:e|ing) (?:the test |execution )?(?:for|briefly|a|"
	"until)\\b|\\bslow_?mo\\b"},
    {CLAIM_WAIT, "\\bdelay(?:ing)? (?:the |this |each |every )?(?:[a-z]+ )?(?:assertion|click|"
		 "check|test|navigation|step|expectation|action|interaction)s?\\b"},
    {CLAIM_WAIT,
	"\\brun(?:ning)? (?:the |this )?(?:test|job|suite|pipeline|spec|build)s? (?:again|"
	"once more|a second time)\\b|\\bre-?run(?:ning)? (?:the |this )?(?:failed |failing "
	")?(?:pipeline|build|spec|ci|workflow)\\b"},
    {CLAIM_WAIT, "\\bwait(?:ing|s)? (?:for )?(?:up to|at most|as long as)\\b|\\bmore patien|"
		 "\\bwith (?:[a-z0-9]+ )?retries\\b"},
    {CLAIM_WAIT, "\\b(?:increas|rais|extend|bump|doubl)(?:e|es|ing|s)? (?:[a-z'-]+ ){0,3}?time "
		 "limits?\\b"},
    {CLAIM_WAIT, "\\bretry (?:loop|mechanism|logic|it|up to|on failure|until|twice|several|a "
		 "few|two|three|[0-9])\\b|\\b(?:turn|switch)(?:ing)? on (?:[a-z]+ "
		 ")?retries\\b|\\bmark(?:ing)? (?:the |this )?test as flaky\\b"},
    {CLAIM_WAIT,
	"\\bmak(?:e|ing) (?:the |this |its |that )?(?:[a-z]+ )?time-?outs? "
	"(?:longer|larger|bigger|higher|more generous|[0-9])|\\b(?:loosen|widen|stretch)(?:ing)? "
	"(?:the |this )?(?:[a-z]+ )?time-?outs?\\b"},
    {CLAIM_WAIT,
	"\\btime-?outs? (?:should|must|needs? to|ha(?:s|ve) to|could|ought to) be (?:[a-z]+ "
	")?(?:increased|raised|extended|longer|higher|bumped|doubled|relaxed|lengthened|adjusted)"
	"\\b"},
    {CLAIM_WAIT, "\\bwait(?:ing|s)? (?:for|until) (?:the )?network (?:to "
		 ")?(?:settles?|be|become|go|calms?|quiets?)\\b|\\bhard-?cod(?:e|ed|ing) (?:a |an "
		 ")?(?:[a-z]+ )?(?:sleep|wait|delay|pause)s?\\b"},
    {CLAIM_WAIT, "\\b(?:hold(?:ing)? off|postpon(?:e|ing)|defer(?:ring)?) (?:on )?(?:the |this "
		 ")?(?:[a-z]+ )?(?:assertion|click|check|expectation|step)s?\\b|\\bcy\\.wait "
		 "?\\(|\\bpage\\.wait ?\\(|\\bbrowser\\.pause\\b"},
    {CLAIM_WAIT, "\\btest\\.(?:slow|settimeout)\\b|\\bset_?default_?(?:navigation_?)?timeout\\b"},
    {CLAIM_WAIT, "\\b(?:add|insert|introduc|us|includ|put|(?<!in )plac|appl|need|requir|inject|tr)"
		 "(?:e|y|ies|ing|s|ed)?(?: in)? (?:(?!no |not )[a-z0-9-]+ "
		 "){0,3}?(?:waits?|delays?|pauses?|sleeps?|"
		 "time-?outs?|retry|retries|set_?timeout|wait_?for_?timeout)\\b"},
    {CLAIM_WAIT,
	"\\b(?:increas|rais|extend|bump|lengthen|enlarg|doubl|tripl|boost|rais|relax|adjust|"
	"chang|set|overrid|configur)(?:e|es|ing|s|ting|ed)?(?: up)? (?:[a-z'-]+ "
	"){0,5}?[a-z]*time-?outs?\\b"},
    {CLAIM_WAIT,
	"\\b(?:longer|higher|larger|bigger|greater|more generous|extra|additional|increased|"
	"explicit|hard|fixed|short|small|manual) (?:[a-z]+ ){0,2}?(?:time-?outs?|waits?|delays?|"
	"sleeps?|pauses?|waiting time)\\b"},
    {CLAIM_WAIT,
	"\\bwait(?:ing|s)? (?:for |of )?(?:about |at least |another |an additional |an extra )?"
	"(?:a few|some|several|a couple of|one|two|three|four|five|ten|half a|a|[0-9.]+) ?"
	"(?:more )?(?:seconds?|secs?|s|ms|milliseconds?|minutes?|moments?|while)\\b"},
    {CLAIM_WAIT,
	"\\bwait(?:ing|s)? (?:a (?:bit|little|moment|while)|longer|some time|more)\\b|"
	"\\b(?:until|for) the network (?:is|goes|becomes|to be|to become|to go) (?:idle|quiet)\\b|"
	"\\bmark(?:ing)? (?:the |this )?test (?:as )?slow\\b|\\bpoll(?:ing)? (?:until|for up "
	"to)\\b"},
    {CLAIM_WAIT,
	"\\bretr(?:y|ies|ying) (?:the |this |that |on )?(?:test|assertion|click|action|step|"
	"request|failure|expect)\\b|\\b(?:add|set|enabl|configur|increas|us|allow|rais)"
	"(?:e|es|ing|s|ting)? (?:[a-z]+ ){0,3}?retries\\b|\\bretries ?[:=] ?[1-9]|"
	"\\bre-?run(?:ning)? (?:the |this )?(?:test|job|suite)\\b"},
    {CLAIM_WAIT, "\\b(?:increas|extend|lengthen|prolong|doubl|rais)(?:e|es|ing|s|ed)? (?:[a-z'-]+ "
		 "){0,3}?(?:waits?|delays?|"
		 "waiting)\\b"},
    {CLAIM_WAIT, "\\b(?:give|giving|allow|allowing|grant)s? (?:[a-z]+ ){0,4}?(?:more|extra|enough|"
		 "additional) time\\b"},
    {CLAIM_WAIT, "\\btime-?outs? (?:to|of|from [0-9]+ ?(?:s|ms)? to) [0-9]|\\btimeout ?: ?[0-9]"},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Denies what follows it in its clause. */
static const char negates[] =
    "\\b(?:not|never|neither|nor|no|none|nothing|cannot|[a-z]+n't|without|rather than|instead "
    "of|in (?:place|lieu) of|nothing "
    "to do "
    "with|rul(?:e[sd]?|ing) "
    "out|exclud(?:e[sd]?|ing)|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|refut(?:e"
    "[sd]?|ing)|unlikely|avoid(?:s|ed|ing)?|far from|against|wrong(?:ly)?|mistaken(?:ly)? "
    "for|mistake|"
    "false(?:ly)?|misread as|misdiagnosed as|unrelated to|independent "
    "of|contradicts?|disproves?|free of|"
    "opposed to|forbid(?:s|den)?|prohibit(?:s|ed)?|stop|refrain from|nor is|tempting to)\\b";
/* "not only a race": nothing is denied. */
static const char no_denial[] =
    "\\b(?:not (?:only|just|merely|simply)|no doubt|no longer|not least|no wonder|no question|"
    "without (?:a |any )?(?:doubt|question)|nothing (?:other|else|less) than|"
    "(?:not|cannot|can't|couldn't) (?:yet )?(?:be )?(?:[a-z]+ly )?(?:rule(?:d)? out|excluded?|"
    "dismiss(?:ed)?|reject(?:ed)?|den(?:y|ied)|discount(?:ed)?))\\b";
/* Supposes what follows it in its clause. */
static const char supposes[] =
    "\\b(?:(?:what|(?:al)?though (?:it|this|that)|while (?:it|this|that)) (?:may |might |at first |"
    "first )*(?:looks?|looked|seems?|seemed|appears?|appeared)|"
    "if|whether|unless|were (?:it|this|there)|had "
    "(?:it|this|there)|suppose|supposing|assuming|"
    "would|hypothe[a-z]+|in case|tempt(?:ed|ing)|at first (?:glance|sight)|as if|as though|one "
    "might|"
    "you might|could have been|might have been|check for|look(?:ed|ing)? for|consider(?:ed|ing)?|"
    "investigated?|suspect(?:ed)? at "
    "first|(?:team|developers?|people|they|someone|somebody|was|were|been) (?:first |long |had "
    ")?(?:suspected|assumed|believed|thought|taken))\\b";
/* For waits: what is taken away. */
static const char removes[] =
    "\\b(?:remov|delet|drop|replac|eliminat|shorten|reduc|lower|decreas|shrink|"
    "get(?:ting)? rid of|tak(?:e|ing) out|swap)[a-z]*\\b|\\bno need (?:for|to)\\b";
/* Behind the phrase, in its clause. */
static const char denied_after[] =
    "^(?![^,;:.]{0,14}?\\b(?:cannot|can not|can't|could not|couldn't|is not|isn't) (?:yet )?(?:be "
    ")?(?:[a-z]+ly )?(?:ruled out|excluded|dismissed|rejected|denied|discounted))"
    "[^,;:.]{0,14}?\\b(?:(?:is|was|are|were|can|could|does|did|do|has|have|had|should|must|will|"
    "may)\\s+(?:[a-z]+ly\\s+|also\\s+|thus\\s+|be\\s+|been\\s+|therefore\\s+)*(?:not\\b|never\\b|"
    "no\\b|ruled "
    "out|excluded|unlikely|rejected|dismissed|implausible|impossible|refuted|disproved|disproven|"
    "out of|"
    "wrong\\b|a dead end|avoided|removed|contradicted|unsupported|the wrong)|isn't|wasn't|aren't|"
    "weren't|doesn't|didn't|don't|can't|cannot|couldn't|won't|shouldn't|contradicts?\\b|would\\b)";
/* Behind the phrase, in its sentence: what was said is taken back. */
static const char taken_back[] =
    "^ "
    "(?:nothing|little)\\b|^[^.;]{0,60}?\\b(?:but|yet|however)\\b[^.;]{0,60}?\\b(?:disproves?|"
    "contradicts?|refutes?|"
    "rules? (?:it|this|that) out|excludes? (?:it|this|that)|(?:says?|shows?) otherwise|does not "
    "hold)"
    "\\b|^[^.;,]{0,30}?\\b(?:may|might|could|would) (?:look|seem|appear|sound)\\b[^.;]{0,40}?\\b"
    "(?:but|yet|however)\\b|^[^.;,]{0,6}\\b(?:on|at) the (?:http|transport|network|protocol) "
    "(?:level|layer) (?:only|alone)\\b";
/* Behind a wait: it was tried, and is no proposal. */
static const char useless[] =
    "^[^.;]{0,70}?\\b(?:(?:did not|didn't|does not|doesn't|do not|don't|will not|won't|would "
    "not|wouldn't|cannot|can't) (?:[a-z]+ )?(?:help|change anything|make a difference)|without "
    "(?:any )?effect|to no avail|in vain|(?:changes?|changed) nothing|(?:makes?|made) no "
    "difference|(?:only |merely |just )(?:hides?|masks?|covers? up|papers? over))\\b";
/* Where a clause ends: what is denied or supposed before it says nothing of what comes behind. */
static const char boundary[] =
    "[;:]|\\s--?\\s|\\s\xe2\x80\x94\\s?|\\s\xe2\x80\x93\\s|[()]|,?\\b(?:but|however|(?:al)?though(?"
    "! "
    "(?:it|this|that) (?:may |might |at first |first )*(?:looks?|looked|seems?|seemed|appears?|"
    "appeared))|because|whereas|so that|therefore|"
    "thus|hence|which|meaning|instead,|rather,|it's|it is|this is|that is|there is|there was|this "
    "was|"
    "it was|suggesting|indicating|leading to|making|resulting in)\\b|, "
    "?(?:so|it|this|that|these|the|"
    "then|since|as|causing|and "
    "(?:it|this|the|that|so)|we|i|they|you|there|use|add|increase|wait|set)\\b|"
    "\\bso (?:it|this|the)\\b|\\band (?:it|this|therefore|so|then|instead)\\b|\\bdue "
    "to\\b|\\bcaused by\\b";
/* The same for what is removed: "replace the click with a wait". */
static const char boundary_removal[] = "[;()]|\\b(?:with|by|and|but|then|instead)\\b|,";
static const char http_only[] =
    "\\b(?:at|on|in the sense of) (?:the |an )?(?:http|transport)(?: level| "
    "layer)?\\b|\\bhttp-wise\\b|"
    "\\b(?:graphql errors?|errors? (?:array|entry|entries|member|list|object|in (?:the|its) "
    "(?:body|"
    "response|payload)|inside)|(?:in|inside) (?:the|its) body|response body|bod(?:y|ies) "
    "(?:holds?|has|have|contains?|carr(?:y|ies))|null data|data (?:is "
    "|was |= ?)?"
    "null|unauthenticated|unauthorized|forbidden|extensions)\\b|\\berrors "
    "?\\[|\"errors\"|\\bgraphql_[a-z_]+";
static const char contrast[] = "\\b(?:but|yet|however|although|though|while|despite|whereas|except|"
			       "with an?|with the|with errors?|and an?|carr(?:y|"
			       "ies|ied)|contain(?:s|ed|ing)?)\\b";

static const char source_place[] =
    "(?<![\\w/:.@-])(?:[A-Za-z]:)?[\\w./"
    "\\\\@()\\[\\]+-]*\\w\\.(?:tsx?|jsx?|[mc][tj]s|vue|svelte|astro|py|java|kt|cs|"
    "rb|go|rs|php|html?|s?css|json|ya?ml|graphql|gql|feature|sh|md):[1-9][0-9]{0,6}(?:-[1-9][0-9]{"
    "0,6}|"
    ":[0-9]{1,5})?(?![\\w/])";
static const char reference[] =
    "(?<![\\w/.-])(?:test|error|action|route|console|page_error|request|body|"
    "snapshot|attachment|source|graphql|verdict|code|asked|warning|event|page|"
    "step|hook|socket|dialog|download|stdout|stderr|result):[0-9]{1,7}(?![\\w:])";

/* What waits in code; a group, where there is one, is the time. */
static const char wait_code[] = "\\b(?:wait_?for_?timeout(?:async)?|set_?timeout ?\\(|sleep "
				"?\\(|networkidle|network_idle|test\\.slow\\b|"
				"set_?default_?(?:navigation_?)?timeout|retries['\"]? ?[:=] ?[1-9]|"
				"[a-z]*time-?out['\"]? ?[:=] ?([0-9][0-9_.]*))";

enum helper {
	NEGATES,
	NO_DENIAL,
	SUPPOSES,
	REMOVES,
	DENIED_AFTER,
	TAKEN_BACK,
	BOUNDARY,
	BOUNDARY_REMOVAL,
	USELESS,
	HTTP_ONLY,
	CONTRAST,
	SOURCE_PLACE,
	REFERENCE,
	WAIT_CODE,
	HELPERS
};
static const char *const helpers[HELPERS] = {negates, no_denial, supposes, removes, denied_after,
    taken_back, boundary, boundary_removal, useless, http_only, contrast, source_place, reference,
    wait_code};

struct claims {
	struct re *phrase[PATTERNS];
	struct re *helper[HELPERS];
};

static struct re *
compiled(const char *pattern)
{
	char why[160];
	struct re *re = re_new(pattern, strlen(pattern), RE_BYTES | RE_CASELESS, why, sizeof why);

	if (re == NULL) /* ours, and so a mistake of ours */
		abort();
	return re;
}

struct claims *
claims_new(void)
{
	struct claims *c = prog_alloc(1, sizeof *c);

	_Static_assert(COUNT(phrases) <= PATTERNS, "room for each phrase");
	for (size_t i = 0; i < COUNT(phrases); i++)
		c->phrase[i] = compiled(phrases[i].pattern);
	for (size_t i = 0; i < HELPERS; i++)
		c->helper[i] = compiled(helpers[i]);
	return c;
}

void
claims_free(struct claims *c)
{
	for (size_t i = 0; i < COUNT(phrases); i++)
		re_free(c->phrase[i]);
	for (size_t i = 0; i < HELPERS; i++)
		re_free(c->helper[i]);
	free(c);
}

static bool
found(struct re *re, const char *text, size_t len, size_t at, size_t *from, size_t *to)
{
	struct re_match m;

	if (re_find(re, text, len, at, &m) != RE_YES)
		return false;
	*from = m.group[0].from;
	*to = m.group[0].to;
	return true;
}

static bool
says(struct re *re, const char *text, size_t len)
{
	size_t from, to;

	return found(re, text, len, 0, &from, &to);
}

/* Typographic quotes made plain, emphasis and runs of blanks removed; line structure kept. */
static void
normalise(const char *text, size_t len, struct buf *b)
{
	buf_reserve(b, len);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == 0xe2 && len - i > 2 && (unsigned char)text[i + 1] == 0x80) {
			unsigned char d = (unsigned char)text[i + 2];
			if (d == 0x98 || d == 0x99) {
				buf_byte(b, '\'');
				i += 2;
				continue;
			}
			if (d == 0x9c || d == 0x9d) {
				buf_byte(b, '"');
				i += 2;
				continue;
			}
		}
		if (c == '*')
			continue;
		bool blank = c == ' ' || c == '\t' || c == '\r';
		if (blank && b->len > 0 &&
		    (b->data[b->len - 1] == ' ' || b->data[b->len - 1] == '\n'))
			continue;
		buf_byte(b, blank || c == '\0' ? ' ' : c);
	}
}

/* A line that begins a list item, a heading, a table row or a diff line stands alone. */
static bool
line_stands_alone(const char *p, const char *end)
{
	if (p < end && strchr("-+#|>\n", *p) != NULL)
		return true;
	if ((size_t)(end - p) > 3 && memcmp(p, "\xe2\x80\xa2", 3) == 0) /* a bullet */
		return true;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p < end && (*p == '.' || *p == ')');
}

/* The end of the sentence that begins at from: ". " and the like, or a line that stands alone. */
static size_t
sentence_end(const char *text, size_t len, size_t from)
{
	for (size_t i = from; i < len; i++) {
		char c = text[i], n = i + 1 < len ? text[i + 1] : ' ';
		if (i - from >= SENTENCE_BYTES)
			return i;
		if ((c == '.' || c == '!' || c == '?') && (n == ' ' || n == '\n' || n == '"')) {
			/* "e.g. ", "i.e. ", "vs. " */
			if (i - from > 2 &&
			    (text[i - 2] == '.' || memcmp(text + i - 2, "vs", 2) == 0))
				continue;
			return i + 1;
		}
		if (c == '\n' && line_stands_alone(text + i + 1, text + len))
			return i + 1;
	}
	return len;
}

/*
 * Inside a pair of double quotes, or of single ones that stand at word edges.  A quote right behind
 * '(' is an argument: waitForLoadState('networkidle') is code and no citation.
 */
static bool
is_quoted(const char *s, size_t len, size_t from, size_t to)
{
	size_t marks = 0, open = 0;

	for (size_t i = 0; i < from; i++)
		if (s[i] == '"') {
			marks++;
			open = i;
		}
	if (marks % 2 == 1 && memchr(s + to, '"', len - to) != NULL && from - open < 80)
		return open == 0 || s[open - 1] != '(';
	for (size_t i = from; i-- > 0 && from - i < 40;) {
		if (s[i] != '\'' || (i > 0 && s[i - 1] != ' '))
			continue;
		const char *end = memchr(s + to, '\'', len - to);
		return end != NULL && end - (s + to) < 40;
	}
	return false;
}

/* Where the clause that ends at from begins. */
static size_t
clause_start(struct re *boundary_re, const char *s, size_t from)
{
	size_t start = 0, at = 0, a, b;

	while (at < from && found(boundary_re, s, from, at, &a, &b) && b > at) {
		if (b <= from)
			start = b;
		at = b;
	}
	return start;
}

static bool
is_denied(
    const struct claims *c, enum claim_kind kind, const char *s, size_t len, size_t from, size_t to)
{
	size_t start = clause_start(c->helper[BOUNDARY], s, from), at = start, a, b;

	if (says(c->helper[DENIED_AFTER], s + to, len - to) ||
	    says(c->helper[TAKEN_BACK], s + to, len - to))
		return true;
	if (says(c->helper[SUPPOSES], s + start, from - start))
		return true;
	while (found(c->helper[NEGATES], s, from, at, &a, &b) && b > at) {
		size_t x, y;
		if (!found(c->helper[NO_DENIAL], s, from, a, &x, &y) || x != a)
			return true;
		at = y > b ? y : b;
	}
	if (kind != CLAIM_WAIT)
		return false;
	if (says(c->helper[USELESS], s + to, len - to))
		return true;
	start = clause_start(c->helper[BOUNDARY_REMOVAL], s, from);
	return says(c->helper[REMOVES], s + start, from - start);
}

/* "The request did not succeed" holds the words of success. */
static bool
denies_itself(const char *s, size_t from, size_t to)
{
	static const char *const words[] = {
	    " not ", "n't ", " never ", " failed ", " fails ", " without success", " nor ", " no "};

	for (size_t i = 0; i < COUNT(words); i++)
		for (size_t k = from; k + strlen(words[i]) <= to; k++)
			if (memcmp(s + k, words[i], strlen(words[i])) == 0)
				return true;
	return false;
}

/* "No network errors", "nothing wrong with", "not at fault": success, told by what is not there. */
static bool
praises_by_denial(const char *s, size_t len)
{
	static const char *const words[] = {" wrong with ", " not at fault", " not the ",
	    " not in the ", " not with the ", " not on the ", " not at the ", " not guilty",
	    " not responsible", " not to blame", " not involved", " without error", " without any",
	    " without problem", " without issue", " without failure", " no error", " no failure",
	    " no problem", " no failed"};

	if (len > 3 && strncasecmp(s, "no ", 3) == 0)
		return true;
	for (size_t i = 0; i < COUNT(words); i++)
		if (memmem(s, len, words[i], strlen(words[i])) != NULL)
			return true;
	return false;
}

static bool
is_asserted(
    const struct claims *c, enum claim_kind kind, const char *s, size_t len, size_t from, size_t to)
{
	size_t end = len;

	while (end > 0 && (s[end - 1] == ' ' || s[end - 1] == '"'))
		end--;
	if (end > 0 && s[end - 1] == '?') /* a question asks */
		return false;
	if (is_quoted(s, len, from, to) || is_denied(c, kind, s, len, from, to))
		return false;
	if (kind != CLAIM_API_SUCCEEDED)
		return true;
	if (denies_itself(s, from, to) && !praises_by_denial(s + from, to - from))
		return false;
	/* Success that the same sentence takes back is no conclusion. */
	return !(says(c->helper[HTTP_ONLY], s, len) && says(c->helper[CONTRAST], s, len));
}

static const char *
kind_name(enum claim_kind kind)
{
	switch (kind) {
	case CLAIM_TIMING: return "timing";
	case CLAIM_SLOW_ELEMENT: return "slow-element";
	case CLAIM_API_SUCCEEDED: return "api-succeeded";
	default: return "wait";
	}
}

static jv
piece(const char *s, size_t len, size_t most)
{
	struct buf b = {0};

	utf8_mend(&b, s, utf8_floor(s, len, most));
	jv text = jv_string_sized(b.data ? b.data : "", (int)b.len);
	buf_free(&b);
	return text;
}

static jv
find_in_sentence(const struct claims *c, const char *s, size_t len, int kinds, jv list)
{
	int seen = 0;

	for (size_t i = 0; i < COUNT(phrases); i++) {
		enum claim_kind kind = phrases[i].kind;
		size_t at = 0, from, to;
		if (!(kinds & (int)kind) || (seen & (int)kind))
			continue;
		while (found(c->phrase[i], s, len, at, &from, &to) && to > at) {
			at = to;
			if (!is_asserted(c, kind, s, len, from, to))
				continue;
			jv item = jvx_set_text(jv_object(), "kind", kind_name(kind));
			item = jvx_set(item, "phrase", piece(s + from, to - from, PHRASE_BYTES));
			item = jvx_set(item, "sentence", piece(s, len, SENTENCE_BYTES));
			list = jv_array_append(list, item);
			seen |= (int)kind;
			break;
		}
	}
	return list;
}

jv
claims_find(const struct claims *c, const char *text, size_t len, int kinds)
{
	struct buf b = {0};
	jv list = jv_array();

	normalise(text, len, &b);
	for (size_t from = 0; from < b.len && jv_array_length(jv_copy(list)) < FOUND;) {
		size_t to = sentence_end(b.data, b.len, from);
		for (size_t i = from; i < to; i++)
			if (b.data[i] == '\n')
				b.data[i] = ' ';
		list = find_in_sentence(c, b.data + from, to - from, kinds, list);
		from = to;
	}
	buf_free(&b);
	return list;
}

int
claims_kinds(const struct claims *c, const char *phrase)
{
	int kinds = 0;

	for (size_t i = 0; i < COUNT(phrases); i++)
		if (says(c->phrase[i], phrase, strlen(phrase)))
			kinds |= (int)phrases[i].kind;
	return kinds;
}

/* Past the blanks, hyphens and articles between two words. */
static size_t
gap(const char *s, size_t len, size_t at)
{
	static const char *const articles[] = {"a ", "an ", "the ", "this ", "its "};
	size_t i = at;

	while (i < len && (s[i] == ' ' || s[i] == '-'))
		i++;
	for (size_t k = 0; k < COUNT(articles); k++) {
		size_t n = strlen(articles[k]);
		if (len - i >= n && strncasecmp(s + i, articles[k], n) == 0)
			return i + n;
	}
	return i;
}

/* The end of the phrase that stands in s at from; 0: it does not. */
static size_t
phrase_end(const char *s, size_t len, size_t from, const char *phrase, size_t phrase_len)
{
	size_t i = from;

	for (size_t p = 0; p < phrase_len;) {
		if (phrase[p] == ' ' || phrase[p] == '-') {
			size_t next = gap(s, len, i);
			if (next == i)
				return 0;
			i = next;
			p = gap(phrase, phrase_len, p);
			continue;
		}
		if (i == len || tolower((unsigned char)s[i]) != tolower((unsigned char)phrase[p]))
			return 0;
		i++;
		p++;
	}
	if (!isalnum((unsigned char)phrase[phrase_len - 1]))
		return i;
	i += i < len && (s[i] == 's' || s[i] == 'S');
	return i < len && isalnum((unsigned char)s[i]) ? 0 : i;
}

static bool
asserts(const struct claims *c, const char *s, size_t len, struct span phrase)
{
	for (size_t from = 0; from < len; from++) {
		if (from > 0 && isalnum((unsigned char)s[from - 1]))
			continue;
		size_t to = phrase_end(s, len, from, phrase.at, phrase.len);
		if (to == 0)
			continue;
		/* Waits and successes are denied in ways of their own. */
		int kinds = claims_kinds(c, phrase.at);
		enum claim_kind kind = kinds & CLAIM_WAIT            ? CLAIM_WAIT
				       : kinds & CLAIM_API_SUCCEEDED ? CLAIM_API_SUCCEEDED
								     : CLAIM_TIMING;
		if (is_asserted(c, kind, s, len, from, to))
			return true;
	}
	return false;
}

/* Nearly all texts lack the phrase's first word, and need not be read in sentences. */
static bool
may_hold(const char *text, size_t len, struct span phrase)
{
	size_t n = 0;

	while (n < phrase.len && isalnum((unsigned char)phrase.at[n]))
		n++;
	if (n == 0 || memchr(text, '*', len) != NULL) /* "**timing**" is told by its letters */
		return true;
	int lower = tolower((unsigned char)*phrase.at), upper = toupper((unsigned char)*phrase.at);
	for (size_t i = 0; i + n <= len; i++)
		if ((text[i] == lower || text[i] == upper) &&
		    strncasecmp(text + i, phrase.at, n) == 0)
			return true;
	return false;
}

char *
claims_asserted(const struct claims *c, const char *text, size_t len, const char *phrase)
{
	struct buf b = {0};
	char *sentence = NULL;
	size_t skip = gap(phrase, strlen(phrase), 0);
	struct span words = scan_trim(phrase + skip, strlen(phrase + skip));

	if (words.len == 0 || !may_hold(text, len, words))
		return NULL;
	normalise(text, len, &b);
	for (size_t from = 0; from < b.len && sentence == NULL;) {
		size_t to = sentence_end(b.data, b.len, from);
		for (size_t i = from; i < to; i++)
			if (b.data[i] == '\n')
				b.data[i] = ' ';
		if (asserts(c, b.data + from, to - from, words))
			sentence = prog_copy(b.data + from, to - from);
		from = to;
	}
	buf_free(&b);
	return sentence;
}

/* Digits with '_' between them. */
static double
amount(const char *s, size_t len)
{
	double n = 0;

	for (size_t i = 0; i < len && s[i] != '.'; i++)
		if (s[i] != '_')
			n = n * 10 + (s[i] - '0');
	return n;
}

struct side {
	size_t count; /* of waits without a time */
	double longest;
	struct span first; /* the line that has it */
};

static void
look_at_line(struct re *re, const char *line, size_t len, struct side *side)
{
	struct re_match m;
	size_t at = 0;

	while (re_find(re, line, len, at, &m) == RE_YES && m.group[0].to > at) {
		bool timed = m.count > 1 && m.group[1].from != (size_t)-1;
		double n =
		    timed ? amount(line + m.group[1].from, m.group[1].to - m.group[1].from) : 0;
		if (!timed)
			side->count++;
		if (n > side->longest)
			side->longest = n;
		if (side->first.at == NULL)
			side->first = (struct span){line, len};
		at = m.group[0].to;
	}
}

char *
claims_wait_added(const struct claims *c, const char *diff, size_t len)
{
	struct side plus = {0}, minus = {0};
	struct re *re = c->helper[WAIT_CODE];

	for (size_t i = 0; i < len;) {
		const char *eol = memchr(diff + i, '\n', len - i);
		size_t n = eol != NULL ? (size_t)(eol - (diff + i)) : len - i;
		const char *line = diff + i;
		if (n > 1 && line[0] == '+' && !(n > 2 && line[1] == '+' && line[2] == '+'))
			look_at_line(re, line + 1, n - 1, &plus);
		else if (n > 1 && line[0] == '-' && !(n > 2 && line[1] == '-' && line[2] == '-'))
			look_at_line(re, line + 1, n - 1, &minus);
		i += n + 1;
	}
	if (plus.count <= minus.count && plus.longest <= minus.longest)
		return NULL;
	struct span line = scan_trim(plus.first.at, plus.first.len);
	struct buf b = {0};
	utf8_mend(&b, line.at, utf8_floor(line.at, line.len, PHRASE_BYTES));
	return b.data;
}

static jv
add_found(jv list, struct re *re, const char *text, size_t len)
{
	size_t at = 0, from, to;

	while (found(re, text, len, at, &from, &to) && to > at) {
		if (jv_array_length(jv_copy(list)) == CITES)
			break;
		list = jv_array_append(list, piece(text + from, to - from, 1000));
		at = to;
	}
	return list;
}

jv
claims_cites(const struct claims *c, const char *text, size_t len)
{
	jv list = add_found(jv_array(), c->helper[SOURCE_PLACE], text, len);

	return add_found(list, c->helper[REFERENCE], text, len);
}

jv
claims_quotes(const char *text, size_t len)
{
	struct buf b = {0};
	jv list = jv_array();

	normalise(text, len, &b);
	for (size_t i = 0; i < b.len; i++) {
		if (b.data[i] != '"')
			continue;
		const char *from = b.data + i + 1;
		const char *end = memchr(from, '"', b.len - i - 1);
		if (end == NULL || jv_array_length(jv_copy(list)) == CITES)
			break;
		if (end > from)
			list = jv_array_append(list, piece(from, (size_t)(end - from), 2000));
		i = (size_t)(end - b.data);
	}
	buf_free(&b);
	return list;
}
