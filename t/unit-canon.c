/* canon: the examples of RFC 8785, sections 3.2.2 and 3.2.3 and appendix B. */
#include <stdlib.h>
#include <string.h>

#include "canon.h"
#include "jvx.h"
#include "tap.h"

static bool
gives(const char *text, const char *want)
{
	struct scan_error error;
	struct buf b = {0};
	jv value = jvx_parse(text, strlen(text), &error);

	canon_write(value, &b);
	bool same = strcmp(b.data, want) == 0;
	if (!same)
		printf("# got  %s\n# want %s\n", b.data, want);
	buf_free(&b);
	jv_free(value);
	return same;
}

static bool
prints(unsigned long long bits, const char *want)
{
	struct buf b = {0};
	double n;

	memcpy(&n, &bits, sizeof n);
	canon_number(n, &b);
	bool same = strcmp(b.data, want) == 0;
	if (!same)
		printf("# %016llx: got %s, not %s\n", bits, b.data, want);
	buf_free(&b);
	return same;
}

int
main(void)
{
	static const struct {
		unsigned long long bits;
		const char *want;
	} appendix_b[] = {
	    {0x0000000000000000, "0"},
	    {0x8000000000000000, "0"},
	    {0x0000000000000001, "5e-324"},
	    {0x8000000000000001, "-5e-324"},
	    {0x7fefffffffffffff, "1.7976931348623157e+308"},
	    {0xffefffffffffffff, "-1.7976931348623157e+308"},
	    {0x4340000000000000, "9007199254740992"},
	    {0xc340000000000000, "-9007199254740992"},
	    {0x4430000000000000, "295147905179352830000"},
	    {0x44b52d02c7e14af5, "9.999999999999997e+22"},
	    {0x44b52d02c7e14af6, "1e+23"},
	    {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
	    {0x444b1ae4d6e2ef4e, "999999999999999700000"},
	    {0x444b1ae4d6e2ef4f, "999999999999999900000"},
	    {0x444b1ae4d6e2ef50, "1e+21"},
	    {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
	    {0x3eb0c6f7a0b5ed8d, "0.000001"},
	    {0x41b3de4355555553, "333333333.3333332"},
	    {0x41b3de4355555554, "333333333.33333325"},
	    {0x41b3de4355555555, "333333333.3333333"},
	    {0x41b3de4355555556, "333333333.3333334"},
	    {0x41b3de4355555557, "333333333.33333343"},
	    {0xbecbf647612f3696, "-0.0000033333333333333333"},
	    {0x43143ff3c1cb0959, "1424953923781206.2"},
	};
	bool numbers = true;

	for (size_t i = 0; i < sizeof appendix_b / sizeof *appendix_b; i++)
		numbers = prints(appendix_b[i].bits, appendix_b[i].want) && numbers;
	tap_ok(numbers, "numbers of appendix B");
	tap_ok(
	    gives("{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"
		  "\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\","
		  "\"literals\":[null,true,false]}",
		"{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,"
		"1e-27],\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"),
	    "the example of section 3.2.2");
	tap_ok(
	    gives("{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew\","
		  "\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji\",\"\\u0080\":\"Control\","
		  "\"\\u00f6\":\"o\"}",
		"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xc2\x80\":\"Control\","
		"\"\xc3\xb6\":\"o\",\"\xe2\x82\xac\":\"Euro Sign\",\"\xf0\x9f\x98\x80\":\"Emoji\","
		"\"\xef\xac\xb3\":\"Hebrew\"}"),
	    "members sorted by UTF-16 code units");
	tap_ok(gives("{\"ab\":1,\"a\":2,\"\":3,\"b\":{\"z\":[],\"y\":{}}}",
		   "{\"\":3,\"a\":2,\"ab\":1,\"b\":{\"y\":{},\"z\":[]}}"),
	    "prefixes first, at every depth");
	return tap_done();
}
