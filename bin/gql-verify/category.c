#define _GNU_SOURCE /* strcasestr */
#include "category.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char auth[] = "auth", forbidden[] = "forbidden", schema[] = "schema-mismatch",
		  input[] = "bad-input", absent[] = "not-found", rate[] = "rate-limit",
		  down[] = "service-unavailable", late[] = "timeout",
		  persisted[] = "persisted-query", internal[] = "internal", other[] = "other";

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct rule {
	const char *text, *category;
};

/*
 * Codes, compared without case, with '-', '.' and blanks as '_'.  Whose they are: Apollo Server and
 * Router, Yoga and Mesh, Hasura (validation-failed, access-denied), Hot Chocolate (AUTH_...,
 * HC00..), graphql-java and DGS (classifications), graphql-ruby (undefinedField), GitHub and
 * Shopify, AppSync, Lighthouse (categories), gRPC gateways, and bare HTTP statuses.
 */
static const struct rule codes[] = {
    {"UNAUTHENTICATED", auth},
    {"UNAUTHORIZED", auth},
    {"UNAUTHORIZEDEXCEPTION", auth},
    {"NOT_AUTHENTICATED", auth},
    {"AUTH_NOT_AUTHENTICATED", auth},
    {"AUTHENTICATION", auth},
    {"AUTHENTICATION_ERROR", auth},
    {"AUTHENTICATION_FAILED", auth},
    {"AUTHENTICATION_REQUIRED", auth},
    {"AUTHENTICATIONERROR", auth},
    {"AUTH_ERROR", auth},
    {"AUTH_REQUIRED", auth},
    {"INVALID_JWT", auth},
    {"JWT_MISSING_ROLE_CLAIMS", auth},
    {"JWT_INVALID_CLAIMS", auth},
    {"INVALID_HEADERS", auth},
    {"INVALID_TOKEN", auth},
    {"TOKEN_EXPIRED", auth},
    {"ACCESS_TOKEN_EXPIRED", auth},
    {"SESSION_EXPIRED", auth},
    {"SESSION_INVALID", auth},
    {"LOGIN_REQUIRED", auth},
    {"401", auth},
    {"FORBIDDEN", forbidden},
    {"ACCESS_DENIED", forbidden},
    {"ACCESSDENIED", forbidden},
    {"PERMISSION_DENIED", forbidden},
    {"PERMISSION_ERROR", forbidden},
    {"NOT_AUTHORIZED", forbidden},
    {"AUTH_NOT_AUTHORIZED", forbidden},
    {"AUTHORIZATION", forbidden},
    {"AUTHORIZATION_ERROR", forbidden},
    {"FORBIDDENERROR", forbidden},
    {"INSUFFICIENT_PERMISSIONS", forbidden},
    {"INSUFFICIENT_SCOPES", forbidden},
    {"UNAUTHORIZED_FIELD_OR_TYPE", forbidden},
    {"403", forbidden},
    {"GRAPHQL_VALIDATION_FAILED", schema},
    {"GRAPHQL_VALIDATION_ERROR", schema},
    {"GRAPHQL_PARSE_FAILED", schema},
    {"GRAPHQL_UNKNOWN_OPERATION_NAME", schema},
    {"OPERATION_RESOLUTION_FAILURE", schema},
    {"INVALID_GRAPHQL_REQUEST", schema},
    {"PARSING_ERROR", schema},
    {"PARSE_FAILED", schema},
    {"VALIDATION_FAILED", schema},
    {"VALIDATIONERROR", schema},
    {"INVALIDSYNTAX", schema},
    {"INVALIDSYNTAXERROR", schema},
    {"OPERATIONNOTSUPPORTED", schema},
    {"UNDEFINEDFIELD", schema},
    {"UNDEFINEDTYPE", schema},
    {"ARGUMENTNOTACCEPTED", schema},
    {"ARGUMENTLITERALSINCOMPATIBLE", schema},
    {"MISSINGREQUIREDARGUMENTS", schema},
    {"SELECTIONMISMATCH", schema},
    {"VARIABLEMISMATCH", schema},
    {"FIELDUNDEFINED", schema},
    {"GRAPHQL", schema},
    {"BAD_USER_INPUT", input},
    {"USER_INPUT_ERROR", input},
    {"BAD_REQUEST", input},
    {"BADREQUEST", input},
    {"INVALID_ARGUMENT", input},
    {"INVALID_INPUT", input},
    {"INVALID_PARAMS", input},
    {"INPUT_ERROR", input},
    {"INPUT_VALIDATION_FAILED", input},
    {"VALIDATION_ERROR", input},
    {"VALIDATION", input},
    {"VALIDATION_EXCEPTION", input},
    {"UNPROCESSABLE_ENTITY", input},
    {"UNPROCESSABLE", input},
    {"CONSTRAINT_VIOLATION", input},
    {"CONSTRAINT_ERROR", input},
    {"DATA_EXCEPTION", input},
    {"FAILED_PRECONDITION", input},
    {"MISSING_PAGINATION_BOUNDARIES", input},
    {"EXCESSIVE_PAGINATION", input},
    {"400", input},
    {"422", input},
    {"NOT_FOUND", absent},
    {"NOTFOUND", absent},
    {"NOTFOUNDERROR", absent},
    {"RESOURCE_NOT_FOUND", absent},
    {"ENTITY_NOT_FOUND", absent},
    {"RECORD_NOT_FOUND", absent},
    {"NOT_EXISTS", absent},
    {"404", absent},
    {"410", absent},
    {"RATE_LIMITED", rate},
    {"RATELIMITED", rate},
    {"RATE_LIMIT", rate},
    {"RATE_LIMIT_EXCEEDED", rate},
    {"RATE_LIMIT_ERROR", rate},
    {"REQUEST_RATE_LIMITED", rate},
    {"TOO_MANY_REQUESTS", rate},
    {"THROTTLED", rate},
    {"QUOTA_EXCEEDED", rate},
    {"RESOURCE_EXHAUSTED", rate},
    {"MAX_COST_EXCEEDED", rate},
    {"COST_LIMIT_EXCEEDED", rate},
    {"429", rate},
    {"SERVICE_UNAVAILABLE", down},
    {"UNAVAILABLE", down},
    {"BAD_GATEWAY", down},
    {"DOWNSTREAM_SERVICE_ERROR", down},
    {"DOWNSTREAM_ERROR", down},
    {"UPSTREAM_ERROR", down},
    {"SUBREQUEST_HTTP_ERROR", down},
    {"SUBREQUEST_MALFORMED_RESPONSE", down},
    {"REMOTE_SCHEMA_ERROR", down},
    {"REMOTE_SCHEMA_CONFLICTS", down},
    {"CONNECTION_ERROR", down},
    {"ECONNREFUSED", down},
    {"ECONNRESET", down},
    {"ENOTFOUND", down},
    {"NETWORK_ERROR", down},
    {"502", down},
    {"503", down},
    {"TIMEOUT", late},
    {"TIMED_OUT", late},
    {"TIMEOUT_ERROR", late},
    {"REQUEST_TIMEOUT", late},
    {"GATEWAY_TIMEOUT", late},
    {"EXECUTION_TIMEOUT", late},
    {"DEADLINE_EXCEEDED", late},
    {"TIME_LIMIT_EXCEEDED", late},
    {"ETIMEDOUT", late},
    {"HC0045", late},
    {"408", late},
    {"504", late},
    {"PERSISTED_QUERY_NOT_FOUND", persisted},
    {"PERSISTEDQUERYNOTFOUND", persisted},
    {"PERSISTED_QUERY_NOT_SUPPORTED", persisted},
    {"PERSISTED_QUERY_NOT_IN_LIST", persisted},
    {"PERSISTED_QUERY_ID_REQUIRED", persisted},
    {"PERSISTED_QUERY_HASH_MISMATCH", persisted},
    {"PERSISTED_QUERY_KEY_REQUIRED", persisted},
    {"PERSISTED_QUERY_ONLY", persisted},
    {"PERSISTED_OPERATION_NOT_FOUND", persisted},
    {"QUERY_NOT_IN_SAFELIST", persisted},
    {"QUERY_NOT_IN_ALLOWLIST", persisted},
    {"HC0020", persisted},
    {"HC0067", persisted},
};

/* What a server says when nobody chose a code: the message may know better. */
static const char *const generic[] = {
    "INTERNAL_SERVER_ERROR",
    "INTERNAL",
    "INTERNAL_ERROR",
    "INTERNALSERVERERROR",
    "INTERNALERROR",
    "UNEXPECTED",
    "UNEXPECTED_ERROR",
    "UNKNOWN",
    "UNKNOWN_ERROR",
    "POSTGRES_ERROR",
    "EXECUTION_ERROR",
    "EXECUTIONABORTED",
    "DATAFETCHINGEXCEPTION",
    "NULLVALUEINNONNULLABLEFIELD",
    "DOWNSTREAM_EXECUTION_ERROR",
    "500",
};

/* Messages that leave no doubt, looked at even when the code is a generic one.  Order matters. */
static const struct rule certain[] = {
    {"PersistedQuery", persisted},
    {"persisted query", persisted},
    {"persisted operation", persisted},
    {"persisted document", persisted},
    {"Cannot query field", schema},
    {"Unknown argument", schema},
    {"Unknown type", schema},
    {"Unknown fragment", schema},
    {"Unknown field", schema},
    {"Unknown directive", schema},
    {"Unknown operation named", schema},
    {"Syntax Error", schema},
    {"ECONNREFUSED", down},
    {"ECONNRESET", down},
    {"ENOTFOUND", down},
    {"EAI_AGAIN", down},
    {"connection refused", down},
    {"socket hang up", down},
    {"ETIMEDOUT", late},
    {"timed out", late},
    {"deadline exceeded", late},
    {"context deadline", late},
    {"rate limit", rate},
    {"too many requests", rate},
    {"unauthenticated", auth},
    {"not authenticated", auth},
    {"not logged in", auth},
    {"must be logged in", auth},
    {"need to be logged in", auth},
    {"log in to", auth},
    {"login required", auth},
    {"authentication required", auth},
    {"authentication failed", auth},
    {"jwt expired", auth},
    {"jwt malformed", auth},
    {"JWTExpired", auth},
    {"invalid signature", auth},
    {"token expired", auth},
    {"expired token", auth},
    {"token has expired", auth},
    {"session expired", auth},
    {"session has expired", auth},
    {"permission denied", forbidden},
    {"access denied", forbidden},
};

/* What is said of variables whose values were refused. */
static const struct rule refused[] = {
    {"coerced Null value", input},
    {"has an invalid value", input},
    {"got invalid value", input},
    {"was not provided", input},
};

/* The rest, for errors without a telling code. */
static const struct rule likely[] = {
    /* Variables first: their messages quote the words of validation. */
    {"got invalid value", input},
    {"was not provided", input},
    {"has invalid value", input},
    {"has an invalid value", input},
    {"provided invalid value", input},
    {"In argument \"", input},
    {"In field \"", input},
    {"Validation failed for the", input},
    {"Uniqueness violation", input},
    {"must not be null", input},
    {"cannot be null for", input},
    {"of required type", input},
    {"has coerced Null value for NonNull type", input},
    {"VariableError", input},
    {"is not a valid", input},
    {"expected an object for type", input},
    {"Expected value of type", schema},
    {"used in position expecting", schema},
    {"must have a selection of subfields", schema},
    {"must have a sub selection", schema},
    {"must have a selection of sub", schema},
    {"must not have a selection", schema},
    {"must have selections", schema},
    {"can't have selections", schema},
    {"is not defined by type", schema},
    {"is not defined by operation", schema},
    {"is not defined on", schema},
    {"is never used", schema},
    {"is not used", schema},
    {"can never be of type", schema},
    {"Must provide operation name", schema},
    {"Must provide query string", schema},
    {"Must provide document", schema},
    {"Unable to detect operation", schema},
    {"does not pass validation", schema},
    {"Invalid syntax", schema},
    {"GraphQL operations must contain", schema},
    {"not found in type", schema},
    {"doesn't exist on type", schema},
    {"doesn't accept argument", schema},
    {"does not exist on the type", schema},
    {"does not exist on type", schema},
    {"FieldUndefined", schema},
    {"Validation error of type", schema},
    {"Validation error (", schema},
    {"is not configured for", schema},
    {"no mutations exist", schema},
    {"no subscriptions exist", schema},
    {"Parse error on", schema},
    {"Expected NAME", schema},
    {"not a valid graphql query", schema},
    {"is required, but it was not provided", schema},
    {"argument of type", schema},
    {"unauthorized", auth},
    {"unauthorised", auth},
    {"authentication", auth},
    {"invalid token", auth},
    {"token is invalid", auth},
    {"invalid session", auth},
    {"jwt", auth},
    {"sign in", auth},
    {"signed in", auth},
    {"log in", auth},
    {"logged in", auth},
    {"invalid credentials", auth},
    {"x-hasura-admin-secret", auth},
    {"forbidden", forbidden},
    {"permission", forbidden},
    {"not authorized", forbidden},
    {"not authorised", forbidden},
    {"not allowed", forbidden},
    {"do not have access", forbidden},
    {"don't have access", forbidden},
    {"insufficient", forbidden},
    {"throttl", rate},
    {"quota", rate},
    {"query cost", rate},
    {"timeout", late},
    {"took too long", late},
    {"unavailable", down},
    {"bad gateway", down},
    {"upstream", down},
    {"fetch failed", down},
    {"failed to fetch", down},
    {"failed, reason:", down},
    {"try again later", down},
    {"under maintenance", down},
    {"Cannot return null for non-null", internal},
    {"non-nullable field", internal},
    {"element is null which the schema does not allow", internal},
    {"Exception while fetching data", internal},
    {"internal server error", internal},
    {"internal system error", internal},
    {"internal error", internal},
    {"unexpected execution error", internal},
    {"unexpected error", internal},
    {"something went wrong", internal},
    {"Cannot read propert", internal},
    {"is not a function", internal},
    {"undefined is not", internal},
    {"nil pointer", internal},
    {"NullPointerException", internal},
    {"object has no attribute", internal},
    {"'NoneType'", internal},
    {"panic", internal},
    {"not found", absent},
    {"not exist", absent},
    {"no such", absent},
    {"could not find", absent},
    {"couldn't find", absent},
    {"Could not resolve to a", absent},
    {"unknown id", absent},
    {"must provide a `first`", input},
    {"must be a non-negative", input},
    {"invalid", input},
    {"validation", input},
    {"must be", input},
    {"is required", input},
    {"can't be blank", input},
    {"cannot be blank", input},
    {"too short", input},
    {"too long", input},
    {"has already been taken", input},
    {"already exists", input},
};

static bool
same_code(const char *code, const char *want)
{
	for (; *code != '\0' && *want != '\0'; code++, want++) {
		char c = (char)toupper((unsigned char)*code);
		if (c == '-' || c == '.' || c == ' ')
			c = '_';
		if (c != *want)
			return false;
	}
	return *code == *want;
}

static const char *
by_message(const struct rule *rules, size_t count, const char *message)
{
	for (size_t i = 0; message != NULL && i < count; i++)
		if (strcasestr(message, rules[i].text) != NULL)
			return rules[i].category;
	return NULL;
}

static const char *
by_code(const char *code)
{
	for (size_t i = 0; code != NULL && i < COUNT(codes); i++)
		if (same_code(code, codes[i].text))
			return codes[i].category;
	return NULL;
}

static bool
is_generic(const char *code)
{
	for (size_t i = 0; i < COUNT(generic); i++)
		if (same_code(code, generic[i]))
			return true;
	return false;
}

const char *
category_of(const char *code, const char *message, int status)
{
	char digits[4];
	const char *found = by_code(code);

	/* graphql-java has one word for a query and for variables that do not fit. */
	if (found == schema && same_code(code, "VALIDATIONERROR") &&
	    by_message(refused, COUNT(refused), message) != NULL)
		return input;
	if (found != NULL)
		return found;
	found = by_message(certain, COUNT(certain), message);
	if (found != NULL)
		return found;
	if (code != NULL && is_generic(code))
		return internal;
	found = by_message(likely, COUNT(likely), message);
	if (found != NULL)
		return found;
	if (status >= 500 && status < 600 && status != 502 && status != 503 && status != 504)
		return internal;
	if (status < 400 || status > 599)
		return other;
	for (int i = 2, n = status; i >= 0; i--, n /= 10)
		digits[i] = (char)('0' + n % 10);
	digits[3] = '\0';
	found = by_code(digits);
	return found != NULL ? found : other;
}
