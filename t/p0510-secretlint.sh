#!/bin/sh
# secretlint, another program that knows tokens, finds nothing in what redact leaves of its own finds.
. "$(dirname "$0")/lib.sh"
if ! peer secretlint@11.2.5 @secretlint/secretlint-rule-preset-recommend@11.2.5; then
	skip 'secretlint' 'npm could not bring it'
	done_testing
	exit
fi
letters=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789
some() { printf %s "$letters$letters" | cut -c"$1"-$(($1 + $2 - 1)); }
{
	echo "a gh""p_$(some 3 36) b"
	echo "c xox""b-123456789012-1234567890123-$(some 7 24) d"
	echo "e AK""IAQYLPMN5HHHFPZAM2 f"
	echo "g sk-ant-""api03-$(some 1 93)AA h"
	echo "i https://u:$(some 5 14)@example.test/ j"
	echo "k np""m_$(some 9 36) l"
} >in
echo '{"rules":[{"id":"@secretlint/secretlint-rule-preset-recommend"}]}' >rc.json
ln -s "$peers/node_modules" node_modules # it takes files and rules from below its folder only
lint() { node_modules/.bin/secretlint --secretlintrc rc.json --format json "$1"; }
ok 'secretlint finds some' exits 1 lint in
redact in >cleaned
ok 'and none after redact' exits 0 lint cleaned
done_testing
