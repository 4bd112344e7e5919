#include "names.h"

#include <stdint.h>
#include <string.h>

#include "secrets.h"

enum { WORDS = 8, WORD_LEN = 24 };

struct word {
	char text[WORD_LEN];
	size_t len;
};

struct words {
	struct word word[WORDS]; /* the last ones */
	size_t count;
};

static bool
is_upper(unsigned char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_lower(unsigned char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes past ASCII are letters: a word may be Пароль or 密码. */
static bool
is_letter(unsigned char c)
{
	return is_upper(c) || is_lower(c) || c >= 0x80;
}

/* A word ends at camelCase's hump, at the end of an acronym (APIKey: API, Key) and at a digit. */
static bool
breaks(const unsigned char *s, size_t i, size_t len)
{
	if (is_digit(s[i]) != is_digit(s[i - 1]))
		return true;
	if (!is_upper(s[i]))
		return false;
	return is_lower(s[i - 1]) || (is_upper(s[i - 1]) && i + 1 < len && is_lower(s[i + 1]));
}

static void
keep_word(struct words *w, const unsigned char *s, size_t len)
{
	if (w->count == WORDS) {
		memmove(&w->word[0], &w->word[1], (WORDS - 1) * sizeof w->word[0]);
		w->count--;
	}
	struct word *word = &w->word[w->count++];
	word->len = 0;
	for (size_t i = 0; i < len; i++) {
		if (word->len == WORD_LEN - 1)
			break;
		word->text[word->len++] = (char)(is_upper(s[i]) ? s[i] | 0x20 : s[i]);
		/* Cyrillic and Latin-1 capitals, two bytes: the labels of forms begin with one. */
		if (word->len >= 2) {
			unsigned char *two = (unsigned char *)word->text + word->len - 2;
			if (two[0] == 0xd0 && two[1] >= 0x90 && two[1] <= 0x9f)
				two[1] += 0x20;
			else if (two[0] == 0xd0 && two[1] >= 0xa0 && two[1] <= 0xaf)
				two[0] = 0xd1, two[1] -= 0x20;
			else if (two[0] == 0xc3 && two[1] >= 0x80 && two[1] <= 0x9e)
				two[1] += 0x20;
		}
	}
	word->text[word->len] = '\0';
}

/* A tag of ours is no word of a name, though it says TOKEN; where it ends, or at. */
static size_t
past_tag(const char *s, size_t at, size_t len)
{
	size_t tag = s[at] == '[' ? secrets_tag(s + at, len - at) : 0;

	return at + tag;
}

static void
split(struct words *w, const char *name, size_t len)
{
	const unsigned char *s = (const unsigned char *)name;
	size_t from = 0;

	w->count = 0;
	for (size_t i = 0; i <= len; i++) {
		bool in = i < len && (is_letter(s[i]) || is_digit(s[i]));
		if (in && i > from && !breaks(s, i, len))
			continue;
		if (i > from)
			keep_word(w, s + from, i - from);
		if (i < len && s[i] == '[' && past_tag(name, i, len) > i)
			i = past_tag(name, i, len) - 1;
		from = in ? i : i + 1;
	}
}

struct meaning {
	const char *word, *kind;
};

/* Sorted by byte; these decide alone. */
static const struct meaning alone[] = {
    {"accesskey", "KEY"},
    {"accesstoken", "TOKEN"},
    {"adgangskode", "PASSWORD"},
    {"apikey", "API_KEY"},
    {"apitoken", "TOKEN"},
    {"authkey", "KEY"},
    {"authtoken", "TOKEN"},
    {"bearer", "TOKEN"},
    {"bearertoken", "TOKEN"},
    {"clave", "PASSWORD"},
    {"clientsecret", "SECRET"},
    {"clientsecrets", "SECRET"},
    {"contrasena", "PASSWORD"},
    {"contraseña", "PASSWORD"},
    {"credential", "SECRET"},
    {"credentials", "SECRET"},
    {"csc", "CVV"},
    {"csrf", "CSRF"},
    {"csrfmiddlewaretoken", "CSRF"},
    {"csrftoken", "CSRF"},
    {"cvc", "CVV"},
    {"cvv", "CVV"},
    {"encryptionkey", "KEY"},
    {"geheimnis", "SECRET"},
    {"haslo", "PASSWORD"},
    {"hasło", "PASSWORD"},
    {"heslo", "PASSWORD"},
    {"idtoken", "TOKEN"},
    {"jelszo", "PASSWORD"},
    {"jelszó", "PASSWORD"},
    {"jeton", "TOKEN"},
    {"jsessionid", "SESSION"},
    {"jwt", "TOKEN"},
    {"kennwort", "PASSWORD"},
    {"kodeord", "PASSWORD"},
    {"losenord", "PASSWORD"},
    {"lösenord", "PASSWORD"},
    {"mdp", "PASSWORD"},
    {"mnemonic", "MNEMONIC"},
    {"motdepasse", "PASSWORD"},
    {"otp", "OTP"},
    {"otps", "OTP"},
    {"parola", "PASSWORD"},
    {"pass", "PASSWORD"},
    {"passcode", "PASSWORD"},
    {"passord", "PASSWORD"},
    {"passphrase", "PASSWORD"},
    {"passwd", "PASSWORD"},
    {"password", "PASSWORD"},
    {"passwords", "PASSWORD"},
    {"passwort", "PASSWORD"},
    {"pgpassword", "PASSWORD"},
    {"phpsessid", "SESSION"},
    {"pin", "PIN"},
    {"pincode", "PIN"},
    {"privatekey", "KEY"},
    {"psw", "PASSWORD"},
    {"pw", "PASSWORD"},
    {"pwd", "PASSWORD"},
    {"refreshtoken", "TOKEN"},
    {"salasana", "PASSWORD"},
    {"secret", "SECRET"},
    {"secretkey", "KEY"},
    {"secrets", "SECRET"},
    {"senha", "PASSWORD"},
    {"sessid", "SESSION"},
    {"session", "SESSION"},
    {"sessionid", "SESSION"},
    {"sessionkey", "SESSION"},
    {"sessiontoken", "SESSION"},
    {"sesskey", "SESSION"},
    {"sid", "SESSION"},
    {"sifre", "PASSWORD"},
    {"signingkey", "KEY"},
    {"token", "TOKEN"},
    {"tokens", "TOKEN"},
    {"totp", "OTP"},
    {"wachtwoord", "PASSWORD"},
    {"xsrf", "CSRF"},
    {"xsrftoken", "CSRF"},
    {"şifre", "PASSWORD"},
    {"парола", "PASSWORD"},
    {"пароль", "PASSWORD"},
    {"токен", "TOKEN"},
    {"パスワード", "PASSWORD"},
    {"密码", "PASSWORD"},
    {"密碼", "PASSWORD"},
    {"비밀번호", "PASSWORD"},
};

/* The last word, and the words that may stand before it. */
static const struct {
	const char *word, *kind, *before; /* blanks around each */
} pairs[] = {
    {"key", "KEY",
	" api access private secret encryption encrypt decryption signing sign master storage "
	"account "
	"subscription priv instrumentation insert query auth authorization authentication client "
	"service shared session hmac aes "
	"deploy "
	"deployment ssh rsa ecdsa dsa webhook app application admin functions function host "
	"license root "
	"vault pem jwt cookie security crypt crypto cipher symmetric wallet stripe sendgrid "
	"mailgun "
	"openai anthropic aws gcp azure google github gitlab datadog twilio algolia sentry "
	"integration "
	"developer dev server user team org bot write read live test prod enc kms tls ssl gpg pgp "
	"consumer partner merchant bucket upload ingest ingestion publish hub sas "},
    {"keys", "KEY", " api access private secret encryption signing ssh "},
    {"code", "CODE",
	" verification verify mfa otp 2fa fa factor tfa auth authorization authentication "
	"recovery backup device confirmation login signin sms pin access totp authenticator time "
	"onetime "
	"reset passcode validation activation oob "},
    {"code", "CVV", " card security cvv cvc "},
    {"codes", "CODE", " recovery backup mfa scratch verification "},
    {"id", "SESSION", " session sess "},
    {"answer", "ANSWER", " security secret "},
    {"answers", "ANSWER", " security secret "},
    {"verifier", "CODE", " code pkce "},
    {"assertion", "TOKEN", " client saml jwt "},
    {"phrase", "MNEMONIC", " pass seed recovery secret mnemonic "},
    {"words", "MNEMONIC", " seed recovery mnemonic "},
    {"seed", "MNEMONIC", " wallet totp otp mnemonic "},
    {"bypass", "SECRET", " protection "},
    {"passe", "PASSWORD", " de "},
    {"pat", "TOKEN", " github gitlab azure ado access my "},
    {"auth", "AUTH", " basic http proxy _ npm registry "},
    {"hash", "PASSWORD", " password passwd pwd "},
    {"digest", "PASSWORD", " password passwd pwd "},
    {"salt", "PASSWORD", " password passwd pwd "},
    {"data", "KEY", " key "}, /* client-key-data of a kubeconfig */
    {"cookie", "COOKIE", " session auth login "},
    {"cookies", "COOKIE", " session auth login "},
    {"sas", "TOKEN", " storage blob "},
    {"signature", "TOKEN", " access "},
};

/* Words that say which one of several it is, and are looked through. */
static const char modifiers[] = " confirm confirmation confirmed repeat repeated again retype "
				"verify new old current value plain "
				"plaintext raw clear cleartext prod production staging stage dev "
				"development live base64 b64 enc "
				"encrypted text string str input val latest previous next1 primary "
				"secondary required optional base a "
				"b me my default main backup ";

/* A public thing, or a word that makes the last word something else. */
static const char never_before[] =
    " public publishable pub page pagination next continuation continue cursor sync cancel "
    "cancellation "
    "design spacing color colour theme "
    "stop start end unexpected pad mask eos bos has have is show hide toggle forgot forget require "
    "requires allow enable disable can should no use uses with without max min num total count "
    "site "
    "same invalid wrong missing expected syntax lex ";

static bool
listed(const char *list, const struct word *w)
{
	char look[WORD_LEN + 3];

	look[0] = ' ';
	memcpy(look + 1, w->text, w->len);
	look[w->len + 1] = ' ';
	look[w->len + 2] = '\0';
	return strstr(list, look) != NULL;
}

static const char *
says_alone(const struct word *w)
{
	size_t lo = 0, hi = sizeof alone / sizeof alone[0];

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int order = strcmp(w->text, alone[mid].word);
		if (order == 0)
			return alone[mid].kind;
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* Scripts without blanks: the label 用户密码 ends with the word. */
static const char *
says_at_end(const struct word *w)
{
	static const struct meaning ends[] = {{"密码", "PASSWORD"}, {"密碼", "PASSWORD"},
	    {"パスワード", "PASSWORD"}, {"비밀번호", "PASSWORD"}, {"口令", "PASSWORD"},
	    {"暗証番号", "PIN"}, {"验证码", "CODE"}, {"密钥", "KEY"}, {"令牌", "TOKEN"}};

	if (w->len == 0 || (unsigned char)w->text[w->len - 1] < 0x80)
		return NULL;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		size_t len = strlen(ends[i].word);
		if (w->len >= len && memcmp(w->text + w->len - len, ends[i].word, len) == 0)
			return ends[i].kind;
	}
	return NULL;
}

static bool
all_digits(const struct word *w)
{
	for (size_t i = 0; i < w->len; i++)
		if (!is_digit((unsigned char)w->text[i]))
			return false;
	return true;
}

static const char *
says_pair(const struct word *before, const struct word *w)
{
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (strcmp(w->text, pairs[i].word) == 0 && listed(pairs[i].before, before))
			return strcmp(before->text, "api") == 0 ? "API_KEY" : pairs[i].kind;
	return NULL;
}

/* What words [0, count) say. */
static const char *
decide(const struct words *w, size_t count)
{
	while (count > 1 &&
	       (all_digits(&w->word[count - 1]) || listed(modifiers, &w->word[count - 1]))) {
		const char *pair = says_pair(&w->word[count - 2], &w->word[count - 1]);
		if (pair != NULL)
			return pair;
		count--;
	}
	if (count == 0)
		return NULL;
	const struct word *last = &w->word[count - 1];
	const char *kind = says_alone(last);
	if (kind == NULL)
		kind = says_at_end(last);
	if (kind == NULL && count > 1)
		kind = says_pair(last - 1, last);
	if (kind == NULL)
		return NULL;
	if (count > 2 && strcmp(last[-1].text, "server") == 0 &&
	    strcmp(last[-2].text, "application") == 0)
		return NULL; /* applicationServerKey, the public half of web push */
	for (size_t i = 0; i + 1 < count; i++) {
		if (i + 2 >= count && listed(never_before, &w->word[i]))
			return NULL;
		if (i + 4 >= count && listed(" public publishable ", &w->word[i]))
			return NULL;
	}
	return kind;
}

/*
 * Most names tell nothing, and that is seen here: some word must begin as one of the tables' does.
 * For each first letter, the next two of those words.
 */
static bool
may_tell(const char *name, size_t len)
{
	static const char *const begin[26] = {['a' - 'a'] = "cc dg ns pi ss ut mz",
	    ['b' - 'a'] = "ea yp",
	    ['c' - 'a'] = "la li od on oo re sc sr vc vv",
	    ['d' - 'a'] = "at ig oc po",
	    ['e' - 'a'] = "nc",
	    ['f' - 'a'] = "as",
	    ['g' - 'a'] = "eh",
	    ['h' - 'a'] = "as dn es ma on",
	    ['i' - 'a'] = "dt nv",
	    ['j' - 'a'] = "el en et se wt",
	    ['k' - 'a'] = "en ey od",
	    ['l' - 'a'] = "os",
	    ['m' - 'a'] = "ag dp ne ot",
	    ['n' - 'a'] = "on",
	    ['o' - 'a'] = "ob tc tp tt",
	    ['p' - 'a'] = "ar as at gp hp hr in ol ri sw wd",
	    ['r' - 'a'] = "ef el",
	    ['s' - 'a'] = "al am as ec ee en es id if ig so ta",
	    ['t' - 'a'] = "ic ok ot",
	    ['v' - 'a'] = "er",
	    ['w' - 'a'] = "ac or",
	    ['x' - 'a'] = "sr"};
	const unsigned char *s = (const unsigned char *)name;

	if (len < 3)
		return len == 2 && ((s[0] | 0x20) == 'p' || (s[0] | 0x20) == 's');
	for (size_t i = 0; i < len; i++) {
		if (s[i] >= 0x80)
			return true;
		bool starts = is_letter(s[i]) && (i == 0 || is_upper(s[i]) || !is_letter(s[i - 1]));
		if (!starts || i + 2 > len)
			continue;
		unsigned char one = s[i] | 0x20, two = s[i + 1] | 0x20,
			      three = i + 2 < len ? s[i + 2] | 0x20 : 0;
		if (one == 'p' && two == 'w')
			return true;
		for (const char *p = begin[one - 'a']; p != NULL && *p != '\0'; p += p[2] ? 3 : 2)
			if (p[0] == two && p[1] == three)
				return true;
	}
	return false;
}

/* Ids and digests are asked too; a name has few digits. */
static bool
is_id(const char *name, size_t len)
{
	size_t digits = 0;

	for (size_t i = 0; i < len; i++)
		digits += is_digit((unsigned char)name[i]);
	return digits > 6;
}

const char *
names_kind(const char *name, size_t len)
{
	struct words w;

	if (len < 2 || len > 128 || !may_tell(name, len) || is_id(name, len))
		return NULL;
	split(&w, name, len);
	return decide(&w, w.count);
}

static bool
same(const char *name, size_t len, const char *word)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];
		if (word[i] == '\0' || (char)(is_upper(c) ? c | 0x20 : c) != word[i])
			return false;
	}
	return word[len] == '\0';
}

static const char *
in_table(const struct meaning *table, size_t count, const char *name, size_t len)
{
	if (len < 2 || len > 40)
		return NULL;
	char first = (char)(is_upper((unsigned char)name[0]) ? name[0] | 0x20 : name[0]);
	for (size_t i = 0; i < count; i++)
		if (table[i].word[0] == first && same(name, len, table[i].word))
			return table[i].kind;
	return NULL;
}

const char *
names_header(const char *name, size_t len)
{
	static const struct meaning table[] = {{"authorization", "AUTH"},
	    {"proxy-authorization", "AUTH"}, {"cookie", "COOKIE"}, {"set-cookie", "COOKIE"},
	    {"set-cookie2", "COOKIE"}, {"cookie2", "COOKIE"}, {"x-auth", "TOKEN"},
	    {"x-authorization", "AUTH"}, {"x-forwarded-authorization", "AUTH"},
	    {"x-original-authorization", "AUTH"}, {"authentication", "AUTH"},
	    {"x-amz-security-token", "TOKEN"}, {"x-amz-signature", "SIGNATURE"},
	    {"x-goog-signature", "SIGNATURE"}, {"x-session", "SESSION"}, {"x-sid", "SESSION"},
	    {"auth", "LOGIN"}, {"_auth", "LOGIN"}, {"x-api-secret", "SECRET"},
	    {"x-secret", "SECRET"}, {"cf-access-client-secret", "SECRET"},
	    {"x-parse-master-key", "KEY"}, {"x-parse-rest-api-key", "KEY"},
	    {"x-algolia-api-key", "API_KEY"}, {"apikey", "API_KEY"}, {"api-key", "API_KEY"},
	    {"x-key", "API_KEY"}, {"dpop", "TOKEN"}, {"x-goog-iap-jwt-assertion", "TOKEN"},
	    {"x-ms-token-aad-access-token", "TOKEN"}, {"x-access", "TOKEN"},
	    {"x-shopify-access-token", "TOKEN"}, {"x-hasura-admin-secret", "SECRET"},
	    {"x-plex-token", "TOKEN"}, {"x-gitlab-token", "TOKEN"}, {"sec-websocket-key", NULL},
	    {"document.cookie", "COOKIE"}, {"jenkins-crumb", "CSRF"}, {"x-wp-nonce", "CSRF"},
	    {"x-honeycomb-team", "API_KEY"}, {"fastly-key", "API_KEY"}, {"x-sentry-auth", "AUTH"},
	    {"x-shopify-hmac-sha256", "SIGNATURE"}, {"x-hub-signature-256", "SIGNATURE"}};
	static const char signature[] = "-signature";
	size_t tail = sizeof signature - 1;

	if (len > tail && same(name + len - tail, tail, signature))
		return "SIGNATURE";
	const char *kind =
	    may_tell(name, len) ? in_table(table, sizeof table / sizeof table[0], name, len) : NULL;

	return kind != NULL ? kind : names_kind(name, len);
}

const char *
names_parameter(const char *name, size_t len)
{
	static const struct meaning table[] = {{"sig", "SIGNATURE"}, {"signature", "SIGNATURE"},
	    {"x-amz-signature", "SIGNATURE"}, {"x-goog-signature", "SIGNATURE"},
	    {"x-oss-signature", "SIGNATURE"}, {"oauth_signature", "SIGNATURE"},
	    {"policy", "SIGNATURE"}, {"samlresponse", "SAML"}, {"samlrequest", "SAML"},
	    {"relaystate", "STATE"}, {"ticket", "TICKET"}, {"code", "CODE"}, {"state", "STATE"},
	    {"key", "KEY"}, {"auth", "AUTH"}, {"nonce", "STATE"}, {"hmac", "SIGNATURE"},
	    {"assertion", "TOKEN"}, {"code_challenge", NULL}, {"st", "TICKET"},
	    {"sas", "SIGNATURE"}, {"invite", "TOKEN"}, {"magic", "TOKEN"}, {"login_hint", NULL},
	    {"oobcode", "CODE"}, {"otc", "CODE"}, {"ott", "TOKEN"}, {"samlart", "SAML"},
	    {"sso", "KEY"}, {"hdnts", "SIGNATURE"}, {"hdnea", "SIGNATURE"}};
	const char *kind =
	    may_tell(name, len) ? in_table(table, sizeof table / sizeof table[0], name, len) : NULL;

	return kind != NULL ? kind : names_header(name, len);
}

const char *
names_open(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (same(name, len, pairs[i].word))
			return pairs[i].kind;
	return NULL;
}

const char *
names_within(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	struct words w = {.count = 0};
	size_t from = 0;

	if (len > 1024)
		len = 1024;
	/* Each word that could end a name is asked with what stands before it. */
	for (size_t i = 0; i <= len; i++) {
		bool in = i < len && (is_letter(s[i]) || is_digit(s[i]));
		if (in && i > from && !breaks(s, i, len))
			continue;
		if (i > from) {
			keep_word(&w, s + from, i - from);
			const struct word *last = &w.word[w.count - 1];
			bool may = last->len < 3 || may_tell(last->text, last->len);
			bool ends = may && (says_alone(last) || says_at_end(last) ||
					       names_open(last->text, last->len));
			const char *kind = ends ? decide(&w, w.count) : NULL;
			if (kind != NULL)
				return kind;
		}
		if (i < len && s[i] == '[' && past_tag(text, i, len) > i)
			i = past_tag(text, i, len) - 1;
		from = in ? i : i + 1;
	}
	return NULL;
}

bool
names_short(const char *kind)
{
	return strcmp(kind, "PIN") == 0 || strcmp(kind, "CVV") == 0 || strcmp(kind, "OTP") == 0 ||
	       strcmp(kind, "CODE") == 0;
}
