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

enum { FOUND = 100, CITES = 200, PATTERNS = 240, PHRASE_BYTES = 160, SENTENCE_BYTES = 4000 };

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

/* What the test does or is, what works behind the page, and what can be under way. */
#define TEST                                                                                       \
	"(?:tests?|specs?|scripts?|assertions?|expect(?:ation)?s?|checks?|clicks?|steps?|"         \
	"locators?|"                                                                               \
	"playwright|runner|interactions?|queries|actions?)"
#define INFRA                                                                                      \
	"(?:network|connections?|apis?|servers?|backend|services?|endpoints?|graphql|database|ci|" \
	"environment|machines?|infrastructure|runners?|browsers?|responses?|requests?|answers?|"   \
	"mutations?|calls?|page loads?|updates?|refetch(?:es)?|"                                   \
	"delivery|resolvers?|replies|reply)"
#define ASYNC                                                                                      \
	"(?:state|store|effects?|updates?|promises?|callbacks?|cache|refetch(?:es)?|react|vue|"    \
	"dom|animations?|transitions?|listeners?|hydration|messages?|events?|results?|payloads?|"  \
	"loads?|navigation|redirects?|subscriptions?|" SUBJECT ")"
#define SETTLED                                                                                    \
	"(?:" LOST "|propagated|flushed|committed|refreshed|attached|applied|painted|updated|"     \
	"initiali[sz]ed|synced|synchroni[sz]ed|landed|reached|caught up|kicked in|landed)"
#define NOT_YET                                                                                    \
	"(?:(?:ha[sd]|have|did|does|do|was|were|is|are) (?:still )?not|[a-z]+n't|had yet to)"
#define AT_THE_TIME                                                                                \
	"(?:when|as|while|by the time|by then|before|prior to|at (?:the|that) (?:time|moment|"     \
	"point|instant))"
#define WAITING "(?:waits?|waiting|synchroni[sz]ation|polling|waitfor[a-z]*)"
#define STINGY                                                                                     \
	"(?:short|low|small|tight|brief|strict|aggressive|stingy|narrow|optimistic|impatient|"     \
	"little|eager)"
#define ALLOWANCE                                                                                  \
	"(?:time-?outs?|deadlines?|grace periods?|intervals? "                                     \
	"between|(?:time|wait|waiting|polling|"                                                    \
	"expect|assertion|seconds?|retry|allotted|allowed)[- ](?:budgets?|limits?|windows?|"       \
	"intervals?|periods?|frames?))"
#define SMOOTHLY                                                                                   \
	"(?:successful(?:ly)?|fine|normally|cleanly|correctly|properly|smoothly|flawlessly|"       \
	"as (?:expected|intended|designed)|without (?:any |an? )?(?:[a-z]+ "                       \
	")?(?:errors?|problems?|"                                                                  \
	"issues?|failures?|incidents?|trouble|complaints?|hitch(?:es)?))"

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

    /* By classes: one happens before the other is done. */
    {CLAIM_TIMING, "\\b(?:prior to|ahead of|earlier than|sooner than) (?:[a-z-]+ ){1,6}?"
		   "(?:being|having(?: been)?|has|have|had|is|are|was|were|could be|can be) "
		   "(?:[a-z]+ ){0,2}?" SETTLED "\\b"},
    {CLAIM_TIMING, "\\b" TEST " (?:[a-z]+ ){1,4}?(?:before|ahead of|prior to|earlier than) "
		   "(?:[a-z-]+ ){0,4}?(?:updates?|re-?renders?|comes?|came|arriv(?:es?|ed|al)|"
		   "show(?:s|ed)? up|settl(?:es?|ed)|finish(?:es|ed)?|complet(?:es?|ed|ion)|"
		   "is (?:back|there|done|in)|response|propagat[a-z]+|catch(?:es)? up)\\b"},
    {CLAIM_TIMING,
	"\\b" ASYNC "(?: [a-z]+){0,3}? " NOT_YET " (?:[a-z]+ ){0,2}?(?:" SETTLED
	"|resolve|finish|complete|settle|arrive|return|flush)\\b[^.;,]{0,30}? " AT_THE_TIME "\\b"},
    {CLAIM_TIMING, "\\b(?:effects?|state|updates?|promises?|store|animations?|refetch|writes?)"
		   "(?: [a-z]+){0,2}? (?:(?:ha[sd]|have) not|ha[sd]n't|haven't) (?:yet )?"
		   "(?:been )?(?:[a-z]+ly )?" SETTLED "\\b"},
    {CLAIM_TIMING, "\\b" ASYNC "(?: [a-z]+){0,2}? (?:is|was|were|are) (?:still |just )?"
		   "(?:in flight|pending|outstanding|under ?way|unresolved|running|in progress|"
		   "en route|in transit|unanswered|animating) " AT_THE_TIME "\\b|"
		   "\\bmid-?(?:render|load|flight|hydration|transition|animation|update)\\b"},
    {CLAIM_TIMING, "\\b(?:while|as|when) (?:[a-z-]+ ){1,4}?(?:is|was|were|are) still "
		   "(?!hydrat|load|render|mount)(?:being )?(?:[a-z]+ing|[a-z]+ed|pending|in "
		   "flight|under ?way|in progress)\\b"},
    {CLAIM_TIMING, "\\b(?:" ASYNC "|message) (?:[a-z]+ ){0,2}?(?:came|comes|arriv(?:es|ed)|lands?|"
		   "landed|finish(?:es|ed)|resolv(?:es|ed)|fir(?:es|ed)|complet(?:es|ed)|returned|"
		   "loaded|settled) (?:[a-z]+ ){0,3}?(?:after|behind) (?:the |that )?"
		   "(?:[a-z]+ ){0,2}?" TEST "\\b"},
    {CLAIM_TIMING,
	"\\b(?:later|slower|longer|more slowly|more time) than (?:the |it |was |is )*(?:" TEST
	"|anticipated|usual|normal(?:ly)?|allowed|expected|permitted|time-?out)\\b"},
    {CLAIM_TIMING, "\\b(?:in|within|during|into|hits?) (?:the|a|that|this) (?:[a-z]+ ){0,2}?"
		   "(?:window|moment|interval|instant|gap|split second) (?:between|before|after|"
		   "in which|where|when)\\b"},
    /* The order is left to chance. */
    {CLAIM_TIMING, "\\bwhich(?:ever)? (?:of )?(?:[a-z]+ ){1,5}?(?:first|last|sooner|earlier|"
		   "faster)\\b|\\bwho(?:ever)? (?:finishes|comes|wins|arrives|gets there)\\b|"
		   "\\binterleav(?:e[sd]?|ing)\\b|\\btoctou\\b|\\bout[- ]of[- ]order\\b|"
		   "\\bwins? (?:over|against|the race)\\b|\\b(?:overtak(?:es?|ing|en)|overtook)\\b|"
		   "\\bby (?:chance|luck)\\b"},
    /* It comes and goes. */
    {CLAIM_TIMING, "\\bnot(?: be)? (?:[a-z]+ )?reproduc(?:ed|ible) (?:[a-z]+ly|every time|each "
		   "time|locally)\\b|\\b(?:pass(?:es|ed)?|succeed(?:s|ed)?|go(?:es)? away|"
		   "went away|disappears?|green|fine) (?:up)?on (?:a |the |an? second )*"
		   "(?:retry|re-?run|re-?try|attempt|second (?:run|attempt|try))\\b|"
		   "\\b(?:environmental|environment|infra(?:structure)?|random) (?:noise|issues?|"
		   "problems?|hiccups?|instability)\\b|\\bnot (?:[a-z]+ )?deterministic\\b|"
		   "\\b(?:unpredictabl[ey]|erratic(?:ally)?|jitter)\\b"},
    {CLAIM_TIMING,
	"\\bnow and (?:then|again)\\b|\\bfrom time to time\\b|\\bone-?off\\b|"
	"\\b(?:works|passes|pass|fails|failing) (?:most of the time|on most runs|only "
	"(?:sometimes|occasionally))\\b|\\b(?:time|latency|load|speed)-?(?: )?"
	"(?:sensitive|dependent)\\b|\\b(?:sensitive|susceptible|vulnerable) to (?:[a-z]+ "
	"){0,2}?(?:load|latency|speed|delays?|time|timings?|slow[a-z]*|jitter)\\b"},
    /* Something behind the page is slow. */
    {CLAIM_TIMING,
	"\\b(?:delays?|slowness|lag|degradation|slow-?downs?|bottlenecks?|hold-?ups?|"
	"sluggishness|backlog|congestion) (?:[a-z]+ )?(?:of|in|on|at|from|by|between|with|"
	"within|across) (?:[a-z]+ ){0,4}?" INFRA "\\b|\\b" INFRA " (?:[a-z]+ )?(?:delays?|slowness|"
	"slow-?downs?|degradation|sluggishness|congestion|bottlenecks?|hold-?ups?|"
	"instability|flakiness|jitter)\\b"},
    {CLAIM_TIMING,
	"\\bslow-?downs?\\b|\\bcold[- ]start(?:s|ed|ing)?\\b|\\bunder-?perform(?:s|ed|"
	"ing)?\\b|\\bperformance (?:issues?|problems?|degradation|regressions?|"
	"bottlenecks?|hit)\\b|\\bunreliable (?:[a-z]+ )?(?:network|connections?)\\b|"
	"\\b(?:delay(?:ed|ing|s)|slow(?:ed|ing|s) down|held up|holding up|stall(?:ed|"
	"ing|s)|postpon(?:ed|es)) (?:the |its |their )?(?:[a-z]+ ){0,2}?" INFRA "\\b|"
	"\\b" INFRA "(?: [a-z]+){0,2}? (?:was|were|is|are|being|got) (?:[a-z]+ )?(?:slowed|"
	"held up|delayed|stalled|throttled|overwhelmed|busy|congested)\\b"},
    {CLAIM_TIMING,
	"(?:\\bnot|n't) keep(?:ing)? (?:up|pace)\\b|\\b(?:ci|runner|machine|box|host|"
	"agent|container|environment|cpu)s? (?:[a-z]+ )?(?:under|short of|starved|saturated|"
	"overloaded|busy)\\b|\\bslower (?:ci|runners?|machines?|hardware|environments?|"
	"networks?|connections?|browsers?)\\b"},
    {CLAIM_TIMING,
	"\\b" ASYNC "(?: [a-z]+){0,2}? (?:did not|didn't|could not|couldn't|failed to|"
	"fails to|does not|doesn't) (?:finish|complete|load|respond|arrive|return|settle|"
	"answer|make it|come back)(?: [a-z]+)? (?:within|inside|before) (?:[a-z0-9]+ "
	"){0,4}?(?:time|" ALLOWANCE "|seconds?|ms|assertion)\\b"},
    /* The test is impatient. */
    {CLAIM_TIMING,
	"\\b" ALLOWANCE "(?: (?!not )[a-z0-9]+){0,6}? (?:(?:is|was|are|were|being|seems|set) "
	"(?:[a-z]+ ){0,2}?(?:too|overly|rather|simply too) " STINGY "|(?:is|was|were|are) "
	"(?:insufficient|inadequate)|too " STINGY ")\\b|\\b(?:overly|too|unduly|"
	"excessively|unrealistically|needlessly) " STINGY " (?:an? )?(?:[a-z]+ ){0,2}?(?:" ALLOWANCE
	"|waits?)\\b"},
    {CLAIM_TIMING,
	"\\bimpatien(?:t|ce)\\b|\\b(?:too|overly) (?:eager(?:ly)?|hast(?:y|ily))\\b|"
	"\\bjump(?:s|ed|ing)? the gun\\b|\\b(?:rush(?:es|ed|ing)?) (?:ahead|past|through|"
	"into)\\b|\\b(?:did not|didn't|does not|doesn't|without) "
	"(?:giv(?:e|ing)|leav(?:e|ing)|allow(?:ing)?) (?:[a-z]+ ){1,5}?(?:time|chance|"
	"opportunity|moment|room|breathing)\\b"},
    {CLAIM_TIMING,
	"\\b(?:no|lack(?:s|ed|ing)?|without|absence of|absent|missing|omits|skips|"
	"forgets|insufficient|inadequate) (?:(?:of|a|an|any|the|proper|explicit|adequate|"
	"sufficient|reliable|deliberate|kind|sort|intermediate|necessary|required) )*" WAITING
	"\\b(?![^.;]{0,30} would)(?! (?:for (?:anything|it) "
	")?(?:would|could|will|can|helps?|list|was "
	"(?:needed|necessary)|is (?:needed|necessary|required)|times? (?:would|helps?)))"},
    {CLAIM_TIMING, "(?:\\bnot|n't|\\bnever|\\bfails? to|\\bfailed to|\\bforgets to) (?:[a-z]+ "
		   ")?(?:wait(?:s|ed)?|poll(?:s|ed)?|synchroni[sz]e[sd]?|pause[sd]?) (?:[a-z]+ )?"
		   "(?:for|until|till|on|with|before)\\b|\\bnothing (?:[a-z]+ ){0,4}?(?:makes sure|"
		   "ensures|guarantees|waits|holds)\\b"},
    {CLAIM_TIMING,
	"(?:\\bnot|n't|\\bfails to|\\bwithout) (?:[a-z]+ ){0,2}?(?:account(?:ing)? for|"
	"robust (?:against|to)|cop(?:e|ing) with|tolera(?:te|nt of)|resilient to|"
	"consider(?:ing)?|tak(?:e|ing) into account|respect(?:ing)?|anticipat(?:e|ing)|"
	"handl(?:e|ing)) (?:[a-z]+ ){0,3}?(?:async[a-z]*|delay[a-z]*|latency|timing|late|"
	"slow[a-z]*|loading|time)\\b"},
    {CLAIM_TIMING,
	"\\b" TEST " (?:[a-z]+ )?(?:assum|expect|requir|demand|presum|suppos|rel(?:y|i))"
	"[a-z]* [^.;,]{1,70}?\\b(?:immediately|instantly|instantaneous(?:ly)?|at once|right "
	"away|straight away|synchronously|synchronous|already)\\b(?! after)"},
    {CLAIM_TIMING,
	"\\b(?:given|with|had|if|allowing|after) (?:[a-z]+ ){0,5}?(?:more|longer|extra|"
	"additional|further|another)\\b[^.;]{0,60}?\\b(?:would|should|will) (?:likely |"
	"probably |surely |then )?(?:have )?(?:(?:been )?(?:appear|pass|succe|becom|"
	"show|f[io]und|work|render|seen|visible|find|be there|be visible)[a-z]*)\\b|"
	"\\bwould (?:likely |probably )?have (?:[a-z]+ ){1,5}?(?:had|if) (?:[a-z]+ "
	"){1,4}?(?:waited|been (?:given|delayed)|come|run|started) (?:[a-z]+ ){0,3}?(?:longer|"
	"later|more|time|sooner|faster|earlier)\\b|\\b(?:moment|instant|second|fraction of a "
	"second|tick|millisecond)s? too (?:early|late|soon)\\b"},
    /* Words that name the thing itself. */
    {CLAIM_TIMING,
	"\\b(?:poor|bad|weak|improper|inadequate|insufficient|faulty|broken|naive|flawed|"
	"incorrect|wrong|loose) (?:[a-z]+ )?(?:synchroni[sz]ation|wait(?:s|ing)?|await(?:s|"
	"ing)?)\\b|\\bsynchroni[sz]ation (?:defect|fault|failure|error|mismatch|flaw|"
	"weakness)s?\\b|(?:\\bnot|n't) (?:[a-z]+ )?(?:synchroni[sz]ed?|in sync|coordinated?|"
	"aligned?) (?:to|with|on)\\b|\\bout of sync with\\b|\\btemporal(?:ly)?\\b|\\b(?:^|cause "
	"?[-:]+ ?)(?:race|latency|async|flake)s? ?:"},
    {CLAIM_TIMING,
	"\\b(?:tests?|specs?|assertions?|expect[a-z]*|playwright) "
	"[^.;,]{0,60}?\\b(?:ignor|assum|treat|"
	"not|without|fail|despite|although|escap|overlook|disregard|consider)[^.;,]{0,40}?\\b"
	"async(?:hronous(?:ly)?)?\\b|\\basync(?:hronous(?:ly)?)?\\b[^.;]{0,40}?\\b(?:tests?|"
	"assertions?|expect) (?:is not|does not|doesn't|do not|isn't|fails to|never|ignores|"
	"disregards)\\b|\\basync[a-z]* [^.;,]{0,60}?"
	"\\b(?:incomplete|unfinished|outstanding|unresolved|pending|in progress|ignored|"
	"disregarded)\\b"},
    {CLAIM_TIMING,
	"\\b(?:temporary|momentary|brief|transitory|passing|occasional|short-lived|sudden|"
	"random) (?:[a-z]+ )?(?:outages?|blips?|failures?|loss|interruptions?|overload|"
	"unavailability|disturbances?|drops?|stalls?|spikes?|dips?)\\b|\\b(?:network|"
	"connection|connectivity|latency|load|cpu|traffic|server) (?:blips?|flaps?|spikes?|"
	"stalls?|dips?|fluctuations?|variance|variations?|contention|pressure)\\b|"
	"\\b(?:cpu|resource|memory|disk|io) (?:contention|starvation|exhaustion|shortage|"
	"pressure|throttling)\\b|\\bthrottled (?:cpu|network|connection|runner)\\b|\\bshort "
	"(?:of|on) (?:resources|cpu|memory)\\b"},
    {CLAIM_TIMING,
	"\\b(?:high|higher|elevated|increased|long|longer|excessive|slow|poor|spikes? in|rise in|"
	"surge in|peak in|growing|rising) (?:the |api |server |network |graphql )*(?:response|"
	"answer|reply|load|loading|round-?trip|processing|execution) times?\\b|"
	"\\blatencies\\b|\\b(?:unusually|unexpectedly|extremely|abnormally|noticeably|"
	"exceptionally|particularly) (?:long|slow(?:ly)?|sluggish)\\b|\\bdrag(?:s|ged|ging)? "
	"on\\b|\\blong(?:er)?-running (?:[a-z]+ )?(?:quer(?:y|ies)|requests?|calls?|"
	"operations?)\\b"},
    {CLAIM_TIMING,
	"\\b(?:seconds?|s|ms|[0-9]+ ?m?s|time) (?:[a-z]+ )?(?:(?:is|are|was|were) (?:simply |just |"
	"clearly )?(?:not (?:enough|sufficient|adequate)|insufficient|too (?:little|few|short))|"
	"(?:isn't|aren't|wasn't|weren't|don't|doesn't|do not|does not|did not) (?:enough|"
	"sufficient|suffice))\\b|\\b(?:needs?|needed|requires?|required|takes?|took) (?:more "
	"than|longer than|over) (?:[a-z]+ ){0,2}?(?:[0-9]+ ?|[a-z]+ )(?:s|ms|seconds?|"
	"milliseconds?)\\b|\\b" SUBJECT " (?:[a-z]+ )?(?:needed|needs|took|takes|required|"
	"requires) (?:[a-z]+ ){0,2}?(?:seconds|minutes|while|time) (?:to|for|before)\\b"},
    {CLAIM_TIMING,
	"\\b(?<!session )(?<!token )" ALLOWANCE
	" (?:had |has |was |just |already )*(?:closed|closes|"
	"expired|expires|elapsed|elapses|ended|ran out|runs out|hits?|passed|over|up|fired|"
	"kicked in) (?:just |right |shortly )?(?:before|while|as)\\b|\\b(?:after|once|when) "
	"(?:the |its |that )?(?:[a-z]+ )?(?<!session )(?<!token )(?:" ALLOWANCE " (?:had |has "
	")?(?:already )?(?:closed|expired|elapsed|passed|ended)|(?:[a-z]+ )?(?:had |has "
	")?(?:already )?(?:given|gave) up)\\b|\\bcut (?:short|off) by\\b"},
    {CLAIM_TIMING,
	"\\b(?:at|in) (?:the|an?|just the) (?:very |exact |precise |exactly the "
	")*(?:very|exact|precise|"
	"wrong|inopportune|unlucky|bad|unfortunate|critical|inconvenient) (?:moment|time|"
	"instant|point in time)\\b|\\bmatter of (?:milliseconds|moments|seconds|luck|chance|"
	"time)\\b|\\bin flux\\b|\\bin (?:a )?transition\\b|\\b(?:transitional|transitory|"
	"intermediate|in-between|half-(?:loaded|rendered|hydrated)|partially "
	"(?:loaded|rendered|hydrated)) (?:state|dom|page|ui|phase)\\b|\\bon (?:its|their) way "
	"(?:when|while|as)\\b"},
    {CLAIM_TIMING,
	"(?:\\bnot|n't) (?:yet )?(?:fully )?(?:interactive|idle|stable|quiescent|caught up|"
	"in a (?:stable|final|settled|steady)|reached (?:a|its|the) (?:stable|steady|settled|"
	"final|idle|ready|interactive))\\b(?! (?:sort|key|id|selector|name))|\\bin (?:a "
	"hurry|haste)\\b|\\bhast(?:y|ily)\\b|\\b" TEST " [^.;,]{0,50}?\\b(?:sooner|faster|"
	"quicker|more quickly|earlier) than\\b"},
    {CLAIM_TIMING,
	"\\bno (?:[a-z]+ )?(?:guarantee|assurance|mechanism|signal|barrier|certainty|safeguard|"
	"provision|way of knowing|means) (?:[a-z]+ ){0,3}?(?:that|when|whether|to wait|to "
	"ensure|before|until)\\b|\\bnothing (?:[a-z]+ ){0,3}?(?:blocks|holds|delays|stops) "
	"(?:[a-z]+ ){0,4}?until\\b|\\b(?:" TEST "|suite) [^.;]{0,60}?(?:\\bwithout|\\bnever|"
	"\\bnot) (?:first )?(?:confirm|establish|ensur|mak|verify|check)(?:s|es|e|ing)?"
	"(?: sure)? (?:that |whether |when )?[^.;,]{0,50}?\\b(?:done|complete|finished|over|"
	"ready|loaded|settled|taken hold|idle|in place)\\b"},
    {CLAIM_TIMING,
	"\\b(?:once in a while|every (?:few|other|so many|second|third) (?:runs?|times?)|(?:in|on) "
	"(?:some|certain|most|many|a few|other) runs|(?:from )?run to run|(?:between|across) "
	"(?:the )?runs|known to (?:fail|flake))\\b|\\b(?:second|another|next|fresh|repeat(?:ed)?)? "
	"?(?:re-?)?runs? [^.;,]{0,40}?\\b(?:pass|passes|passed|green|succeeds?|succeeded|"
	"fine)\\b|\\b(?:is|was|just|mere|be|like|pure|only|as) (?:[a-z]+ )?noise\\b|\\bon a "
	"(?:faster|slower|quieter|busy|loaded) (?:[a-z]+ )?(?:machine|runner|network|"
	"connection)\\b"},
    {CLAIM_TIMING,
	"\\b(?:effects?|requests?|responses?|writes?|updates?|re-?renders?|renders?|clicks?|"
	"handlers?|refetch|quer(?:y|ies)|fetch(?:es)?|promises?) (?:[a-z-]+ ){0,4}?(?:compet|"
	"collid|clobber|clash|interfer)[a-z]*\\b|\\b(?:stale|older|newer|"
	"later|earlier) (?:[a-z]+ ){0,3}?(?:overr(?:id|od)|overwr)[a-z]*\\b|\\b(?:resolv|return|"
	"arriv|complet|finish)(?:es|ed|s) (?:first|last|second)\\b|\\bconcurrent "
	"(?:writes?|updates?|requests?|re-?renders?|effects?|(?:re)?fetch(?:es)?|mutations?|"
	"state|modification|access)\\b|"
	"\\b(?:detach|re-?render|re-?mount|replac)(?:s|es|ed|ing)? (?:[a-z]+ )?(?:during|"
	"mid-|at the moment|just as)\\b|\\bonly after (?:hydration|rendering|mounting)\\b|"
	"\\bbusy (?:hydrating|rendering|loading|fetching|with)\\b"},
    {CLAIM_TIMING,
	"\\b(?:is|was|were|are|remain(?:s|ed)|left|still) (?:still )?(?:unresolved|unfinished|"
	"unsettled|going on|in the air)\\b|\\b(?:reacts?|reacted|responds?|responded|repl(?:y|ies|"
	"ied)|answers?|answered|updates?|updated|turn(?:s|ed) up|c[ao]mes?|arrives?|arrived) "
	"(?:only )?(?:[a-z]+ )?(?:late|slowly|sluggishly|belatedly|tardily|after the fact|"
	"with (?:a|some) delay)\\b|\\btime-?outs? [^.;,]{0,30}?leav(?:e|es|ing) (?:[a-z]+ "
	")?(?:no|little|too little|hardly any|not enough) (?:[a-z]+ )?(?:margin|headroom|room|"
	"slack|reserve)\\b|\\bunrealistic(?:ally)?\\b|\\b(?:second|moment|bit|little|while|"
	"fraction|instant) (?:later|longer),? [^.;]{0,30}?\\bwould\\b"},
    {CLAIM_TIMING,
	"\\b(?:assert|check|look|click|read|prob|inspect|quer)(?:s|es|ed|ing|ies)? (?:[a-z]+ "
	"){0,3}?(?:before|prior to|ahead of) (?:[a-z-]+ ){0,5}?(?:preconditions?|prerequisites?|"
	"hold|met|true|ready|there|settle|stable|interactive)\\b"},
    /* How soon, and when exactly. */
    {CLAIM_TIMING,
	"\\bbefore [^.;,]{1,40}? (?:opportunity|chance|time|occasion) to\\b|\\b(?:implicit|"
	"exact|precise|lucky|perfect|favou?rable) timing\\b|\\btiming (?:variances?|"
	"variations?|differences?|assumptions?|gaps?|uncertainty|fluctuations?)\\b|\\bhow "
	"(?:quickly|fast|soon|long) (?:the |its )?(?:[a-z]+ ){1,4}?(?:loads?|responds?|takes?|"
	"renders?|arrives?|updates?|answers?|is|are)\\b|\\b(?:server|network|machine|cpu|ci|"
	"runner|execution|backend|api|loading|rendering|system) (?:speed|load|performance)\\b|"
	"\\bmay or may not (?:be|have|yet)\\b|\\b(?:may|might|can|could|will) (?:finish|arrive|"
	"resolve|return|complete|come|run|happen) (?:first|later|earlier|sooner|late)\\b"},
    {CLAIM_TIMING,
	"\\b(?:variable|varying|fluctuating|inconsistent|unpredictable) (?:[a-z]+ )?(?:response|"
	"load|loading|answer|reply|network|latency) ?(?:times?|speeds?)?\\b|\\b(?:is|was|"
	"likely|probably|purely|seems|appears) environmental\\b|\\bspurious(?:ly)? "
	"(?:fail|error)[a-z]*\\b|\\b(?:slower than (?:local|in|"
	"on|a local|the local))\\b|\\b" SUBJECT " (?:[a-z]+ )?(?:stalled|stalls|hung|hangs|got "
	"stuck|froze|lingered)\\b|\\bresponse times? (?:[a-z]+ ){0,2}?exceed(?:s|ed)?\\b|"
	"\\bexceed(?:s|ed)? (?:what|the time)\\b|\\bloading (?:[a-z]+ )?(?:takes|took|needs|"
	"needed) (?:longer|too long|more|a while|several)\\b|\\b(?:eventual[- "
	"]consisten[a-z]+)\\b"},
    {CLAIM_TIMING,
	"\\bloading (?:is|was|being) (?:still )?(?:in progress|under "
	"?way|incomplete|unfinished)\\b|"
	"\\bin (?:a|its|the) loading (?:state|phase)\\b|\\bonly (?:partially|partly|half) "
	"(?:loaded|rendered|hydrated)\\b|(?:\\bnot|n't) (?:yet )?(?:been )?(?:bound|wired(?: up)?|"
	"hooked up|attached|hydrated|ready|mounted|loaded|rendered|there|available|"
	"present) (?:at (?:that|this|click|assertion|check|the) (?:[a-z]+ )?(?:point|time|"
	"moment|stage)|(?:when|by the time|as) (?:the )?" TEST ")\\b|\\b(?:initial|first|"
	"client-side|subsequent|last) (?:render|load|fetch|refetch)(?:ing)? (?:[a-z]+ )?(?:had not|"
	"hadn't|has not|was not|wasn't) (?:yet )?(?:completed?|finished|done|run)\\b"},
    {CLAIM_TIMING,
	"\\b(?:clicks?|clicked|registered|dispatched|ran|executed|asserted|assertion|checked) "
	"(?:[a-z]+ )?(?:before|prior to) (?:the )?(?:hydration|re-?render(?:ing)?|rendering|"
	"initiali[sz]ation|mounting|loading)\\b|\\bleav(?:es?|ing) (?:[a-z]+ )?(?:no|little|too "
	"little|hardly any) time\\b|\\b(?:assertions?|expect|checks?) (?:[a-z]+ "
	"){0,4}?(?:immediately|right|straight|directly|instantly) (?:after|following|upon)\\b|"
	"\\bshould have waited\\b|\\btime-?outs? (?:does not|doesn't|did not|didn't) suffice\\b|"
	"\\btime-?out (?:was|is|had been) (?:reached|exhausted|hit) before\\b|\\b(?:reads?|"
	"assertions?|checks?|clicks?|quer(?:y|ies)|expectations?) (?:happens?|happened|occurs?|"
	"occurred|takes? place|took place|is made|was made|is done) (?:[a-z]+ )?(?:before|prior "
	"to|ahead of)\\b|\\b(?:arriv|updat|invalidat|refresh|fir|com|load|dispatch|resolv|"
	"return|answer)[a-z]* (?:[a-z]+ )?too late\\b|\\b(?:ticks?|moments?|frames?|instants?) "
	"(?:after|before) the (?:" TEST ")\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b" ELEMENT
	" (?:[a-z]+ )?(?:lags?|lagged|trails?|trailed|dawdles?)\\b(?! behind)|\\b(?:yet "
	"to be (?:drawn|rendered|shown|painted|mounted|displayed|inserted|added)|"
	"(?:takes?|took|taking|needs?|needed) (?:[a-z]+ ){1,3}?(?:a while|a moment|time|a "
	"bit|seconds) to " APPEAR ")\\b|\\b(?:belated(?:ly)?|tard(?:y|ily))\\b|(?:\\bnot|"
	"n't) (?:[a-z]+ )?(?:materiali[sz]ed|drawn|painted|inserted|built|created|"
	"there|up) yet\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\b(?:takes?|took|taking) (?:its|their|some|a long|a good|considerable|"
	"a lot of|quite some|a noticeable|more) (?:time|while) (?:to |before |until )?"
	"(?:[a-z]+ )?(?:" APPEAR "|becom)"},
    {CLAIM_SLOW_ELEMENT,
	"\\b" ELEMENT " (?:[a-z]+ ){0,2}?(?:would|will|should) (?:have )?(?:become "
	"[a-z]+|" APPEAR "(?:ed|n)?) (?:eventually|in the end|later|soon|shortly|"
	"afterwards|after (?:a|some|another))\\b|\\beventually (?:would |will )?"
	"(?:becomes?|" APPEAR "s?)\\b"},
    {CLAIM_SLOW_ELEMENT,
	"\\bonly (?:[a-z]+ ){0,2}?(?:becom(?:es?|ing)|became|" APPEAR ")[a-z]*"
	"(?: [a-z]+)? (?:after|once|when) (?:the |an? )?(?:[a-z0-9]+ )?(?:time-?out|assertion|"
	"expect[a-z]*|test|check|delay|while|moment|seconds?|ms)\\b|\\b(?:appears?|"
	"appeared|shows? up|showed up|visible|rendered|renders?|mounts?|mounted|comes "
	"up|painted) (?:only )?(?:[a-z]+ )?(?:after|past|behind) the (?:[a-z]+ )?"
	"(?:time-?out|assertion|check|deadline|test)\\b"},
    {CLAIM_SLOW_ELEMENT,
	NOT_YET " (?:[a-z]+ )?(?:been )?(?:shown(?: up)?|appear(?:ed)?|"
		"rendered|mounted|painted|displayed|materiali[sz]ed?|become [a-z]+|visible|there|"
		"present) (?:by (?:then|that (?:time|point))|so far|as yet|at that (?:point|"
		"stage))\\b|\\b" ELEMENT " (?:is|was|were|are|being) "
		"(?:(?!not )[a-z]+ "
		")?(?:slow|late|lagging|tardy|delayed)\\b|\\b(?:delay(?:s|ed)?|lag|latency|"
		"slowness|lateness|tardiness) (?:in|of|before|with|until) (?:[a-z]+ ){0,4}?"
		"(?:appearing|rendering|mounting|painting|displaying|showing|appearance|"
		"visibility)\\b"},
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
    /* By classes: who did what, and how well. */
    {CLAIM_API_SUCCEEDED,
	"\\b(?:" SUBJECT "|resolvers?|(?-i:[A-Za-z]*[a-z][A-Z][a-z][A-Za-z]*)) "
	"(?:[a-z0-9/._-]+ ){0,4}?(?:(?:handl|process|execut|serv|complet|resolv|"
	"finish|answer|respond|return|operat|perform|function|behav|deliver|fulfil|"
	"conclud|terminat|work)(?:e?[sd]|l?ed|ing)?|ran|runs|went|goes|done) "
	"(?:[a-z0-9]+ ){0,5}?" SMOOTHLY "\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\bnothing (?:[a-z]+ ){0,3}?(?:wrong|amiss|failed|broken|broke|suspicious|"
	"unusual|out of the ordinary) (?:[a-z]+ )?(?:on|in|at|with|about) (?:[a-z]+ "
	"){0,3}?(?:apis?|backend|server|network|graphql|requests?|responses?|calls?|"
	"traffic)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\bno (?:[a-z]+ )?(?:errors?|failures?|problems?|issues?|anomal(?:y|ies)) "
	"(?:[a-z]+ ){0,4}?(?:on|in|from|at|with|by) (?:[a-z]+ ){0,3}?(?:network|api|"
	"backend|server|graphql|requests|responses|calls|traffic)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:mutations?|updates?|writes?|changes?|requests?|calls?|operations?) "
	"(?:[a-z]+ ){0,2}?(?:took effect|takes effect|(?:was|were|got|is|has been|have "
	"been) (?:[a-z]+ly )?(?:applied|persisted|saved|stored|committed|carried out|"
	"executed|processed|fulfilled))\\b(?! (?:optimistic|only|local|in the "
	"(?:client|browser|cache|store|ui)|to the (?:cache|store|ui|wrong)|twice))|"
	"\\b(?:saved|stored|persisted|applied|executed|updated) (?:[a-z]+ )?(?:on|by) the "
	"(?:server|backend)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:200|2xx|ok)s? (?:[a-z]+ )?(?:across the board|throughout|everywhere|"
	"(?:for|on|from|in) (?:all|every|each)|all (?:round|around|over))\\b|\\b(?:all|"
	"every|each|only) (?:[a-z]+ ){0,2}?(?:requests?|calls?|quer(?:y|ies)|responses?|"
	"operations?|traffic)(?: (?!but\\b|except|save|other)[a-z]+){0,5}? "
	"(?:has|have|had|shows?|carr(?:y|ies|ied)|got|is|are|"
	"were|was) (?:an? )?(?:[a-z]+ ){0,2}?(?:200|2xx)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:healthy|flawless|clean|sound|error-free|well-behaved) (?:[a-z]+ )?"
	"(?:apis?|backend|server|network|graphql|responses?|traffic)\\b|\\b" SUBJECT
	" (?:[a-z]+ ){0,3}?(?:is|was|are|were) (?:[a-z]+ )?(?:error-free|flawless|in "
	"order|sound|clean|healthy|green|intact|unproblematic|innocent|blameless)\\b|"
	"\\b(?:success|successful completion) of (?:[a-z]+ ){0,3}?(?:requests?|"
	"mutations?|calls?|quer(?:y|ies)|operations?)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:network|apis?|backend|server|graphql|requests?|responses?|traffic|http) ?(?:[:=]|"
	"- |->) ?(?:[a-z]+ )?(?:ok|success(?:ful)?|fine|no errors?|clean|green|200|healthy|"
	"good|passed)\\b|\\b(?:all|just|only) 200s?\\b(?! [a-z]+ (?:but|except))|"
	"\\b(?:play(?:s|ed)|did|does|perform(?:s|ed)) (?:its|their) (?:part|role|duty)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:rule out|exclude|exonerate|acquit|clear|discount|eliminate) (?:the )?(?:apis?|"
	"backend|server|network|graphql)\\b(?! (?:latency|delays?|lag|slowness|timing|"
	"speed|as slow))|\\b(?:server|backend|api|network)(?:[- ]side)? (?:problems?|"
	"errors?|faults?|issues?|failures?|troubles?) (?:can|could|may) (?:[a-z]+ )?be "
	"(?:[a-z]+ )?(?:discounted|ruled out|excluded|dismissed|eliminated)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\bno (?:signs?|traces?|indications?|evidence|hints?|symptoms?) of (?:[a-z]+ ){0,3}?"
	"(?:(?:trouble|errors?|failures?|problems?|issues?|faults?) (?:[a-z]+ ){0,4}?"
	"(?:network|api|backend|server|graphql|requests|responses|traffic)|(?:network|"
	"api|backend|server|graphql)(?:-side)? (?:trouble|errors?|failures?|problems?|"
	"issues?))\\b|\\b(?:free of|without|devoid of|clear of) (?:any )?(?:errors|failures|"
	"problems)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:backend|server|api|service) (?:[a-z]+ )?(?:confirm|acknowledg|accept|honou?r|"
	"applie|persist|store|save|commit)(?:s|d|ed|ledged)? (?:the|this|that|it|every|"
	"all)\\b|\\bas (?:it|they) should\\b|\\b(?:payloads?|responses?|bod(?:y|ies)) "
	"(?:[a-z]+ )?(?:is|are|was|were) (?:all )?(?:valid|complete|correct|well-formed|"
	"intact|right)\\b"},
    {CLAIM_API_SUCCEEDED,
	"\\b(?:network|api|backend|server|graphql)(?: [a-z]+)? (?:shows?|has|had|reveals?|"
	"exhibits?) no (?:[a-z]+ )?(?:anomal(?:y|ies)|irregularit(?:y|ies)|signs? of)\\b|"
	"\\b(?:responses?|results?|answers?|bod(?:y|ies)|payloads?) (?:contain|have|has|had|"
	"carr(?:y|ied)|include)[a-z]* no errors?\\b|\\bnothing in the (?:network|api|server|"
	"backend)[^.;]{0,30}? (?:points? to|suggests?|indicates?|hints? at)\\b|\\bnot the "
	"(?:apis?|backend|server|network)(?= ?[.!]?$)"},
    {CLAIM_WAIT,
	"\\btime-?out ?= ?[0-9]|\\bhold(?:ing)? [^.;]{0,30}?(?:back|off) (?:until|till|for)\\b|"
	"\\b(?:wait|until|till|once)[a-z]* (?:[a-z]+ ){0,3}?(?:settle[sd]?|calms? down|quiet"
	"(?:s|ens)?|stabili[sz]e[sd]?)\\b|\\bpoll(?:ing)? for\\b|\\b(?:linger|dwell|idle) "
	"(?:[a-z]+ )?for\\b|\\b(?:increas|rais|more|improv)[a-z]* (?:the )?patience\\b"},
    {CLAIM_WAIT, "\\b(?:giv(?:e|ing)|allow(?:ing)?|grant(?:ing)?|leav(?:e|ing)|let(?:ting)?) "
		 "(?:[a-z']+ ){0,4}?(?:a (?:moment|second|bit|little|while|few)|some (?:time|slack|"
		 "room)|time|up to [0-9a-z]+ (?:s|ms|seconds?|minutes?)|[0-9]+ ?(?:s|ms|"
		 "seconds?)|longer|more (?:slack|room|headroom))\\b|\\blet(?:ting)? (?:[a-z]+ "
		 "){1,3}?(?:settle|finish|load|catch up|calm down|stabili[sz]e)\\b"},
    {CLAIM_WAIT,
	"\\b(?:increas|rais|extend|bump|lengthen|enlarg|doubl|tripl|boost|relax|lift|widen|"
	"loosen|stretch|up|prolong)(?:e|es|ing|s)? (?:[a-z0-9'.-]+ ){0,5}?(?:limits?|"
	"budgets?|deadlines?|windows?|allowances?|tolerance|patience|thresholds?|waiting "
	"(?:time|period))(?: [a-z]+){0,3}? (?:to|by) (?:[0-9]|[a-z]+ (?:seconds|minutes))"},
    {CLAIM_WAIT, "\\b(?:delays?|pauses?|waits?|sleeps?|time-?outs?) of (?:[a-z]+ "
		 "){0,3}?(?:[0-9]|one|two|three|"
		 "five|ten|half|some|several|a few)|\\b(?:delays?|pauses?|sleeps?) (?:[a-z0-9]+ "
		 "){0,3}?(?:before|after|between|ahead of|in front of) (?:the |each |every )?" TEST
		 "\\b|\\bpause (?:here|first|the test|between|before)\\b"},
    {CLAIM_WAIT, "\\bexpect\\.poll\\b|\\btopass\\b|\\b(?:loop|repeat|keep (?:trying|checking|"
		 "polling|asking|clicking)|try|re-?attempt|re-?check|re-?click|re-?load)(?:ing|s)? "
		 "(?:[a-z]+ ){0,4}?(?:until|till|again|several times|a few times|up to)\\b|"
		 "\\b(?:up to |at most )?(?:[0-9]+|two|three|five|ten|several|a few|more|multiple) "
		 "(?:attempts|tries|retries)\\b|\\b(?:auto-?)?retry(?:ing)? (?:option|policy|"
		 "wrapper|helper|with|for|when|if|in|at)\\b"},
    {CLAIM_WAIT,
	"\\b(?:lenient|generous|relaxed|long|longer|higher|larger|bigger|patient|looser|"
	"ample) (?:[a-z]+ )?(?:time-?outs?|deadlines?|time limits?|waits?|time "
	"budgets?)\\b|\\btime-?outs?(?: [a-z]+){0,4}? (?:(?:needs|wants|deserves) (?:to be )?"
	"(?:[a-z]+ )?(?:larger|longer|increas[a-z]+|rais[a-z]+|higher)|up to [0-9]|"
	"higher|longer)\\b|\\b(?:back-?off|debounce the|quarantin[a-z]+)\\b"},
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
    "(?:it|this|there)|(?<![a-z] )had|suppose|supposing|assuming|"
    "would|hypothe[a-z]+|in case|tempt(?:ed|ing)|at first (?:glance|sight)|as if|as though|"
    "(?:one|you) (?:might|could|may)|could have been|might have been|check for|look(?:ed|ing)? "
    "for|consider(?:ed|ing)?|"
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
    "(?:holds?|has|have|contains?|carr(?:y|ies))|null data|has errors|data (?:is "
    "|was |= ?)?"
    "null|unauthenticated|unauthorized|forbidden|extensions)\\b|\\berrors "
    "?\\[|\"errors\"|\\bgraphql_[a-z_]+";
static const char contrast[] =
    "\\b(?:but|yet|however|although|though|while|until|despite|whereas|except|"
    "with an?|with the|with errors?|and an?|carr(?:y|"
    "ies|ied)|contain(?:s|ed|ing)?)\\b";

/* Before a success: somebody takes it for granted. */
static const char believed[] =
    "\\b(?:tests?|apps?|application|clients?|code|components?|handlers?|pages?|ui|hooks?|it) "
    "(?:[a-z]+ )?(?:assum|presum|believ|expect|think|treat|pretend|claim|want)[a-z]* [^.;]{0,60}$";

/* At the head of a sentence: what follows the colon is a list of what it was not. */
static const char ruled_out[] =
    "^\\W{0,4}(?:considered|ruled out|excluded|rejected|dismissed|discarded|eliminated|not the "
    "causes?|hypotheses (?:ruled out|rejected)|dead ends?)\\b[^:.;]{0,40}:";

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
	BELIEVED,
	RULED_OUT,
	SOURCE_PLACE,
	REFERENCE,
	WAIT_CODE,
	HELPERS
};
static const char *const helpers[HELPERS] = {negates, no_denial, supposes, removes, denied_after,
    taken_back, boundary, boundary_removal, useless, http_only, contrast, believed, ruled_out,
    source_place, reference, wait_code};

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

	if (says(c->helper[RULED_OUT], s, from))
		return true;
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
	if (says(c->helper[BELIEVED], s, from))
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
