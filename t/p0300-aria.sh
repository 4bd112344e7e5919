#!/bin/sh
# aria: pages recorded by Playwright itself, compared line by line with its own ariaSnapshot().
. "$(dirname "$0")/lib.sh"
table=$top/t/p0300-aria/pages.html
if ! peer playwright-core@1.65.1 || [ ! -x /usr/bin/chromium ]; then
	skip 'pages as Playwright sees them' 'no npm or no Chromium'
	done_testing
	exit
fi
make -s -C "$top" "${BUILD:-build}/t/unit-aria" >&2 || exit 1
ok 'pages are recorded' env NODE_PATH="$peers/node_modules" \
	node "$top/t/p0300-aria/record.js" "$table" .
ok 'the trace is unpacked' trace-unpack -d trace trace.zip
"$build/t/unit-aria" trace >got
diff -U 0 want got | sed 1,2d >differ # without its head: a line of YAML begins with '-' too
count=$(grep -c '^# ' want)
wrong=$(grep -c '^-' differ)
more=$(grep -c '^+' differ)
[ "$more" -gt "$wrong" ] && wrong=$more
lines=$(grep -cv '^# ' want)
echo "# $count pages, $lines lines, $wrong differ: $((100 * (lines - wrong) / lines)) % equal" >&2
sed 's/^/# /' differ >&2
ok 'at least 60 pages' test "$count" -ge 60
ok 'at least 95 % of the lines are equal' test $((100 * wrong)) -le $((5 * lines))
roles=$(sed -n 's/^    {"\([a-z]*\)", .*},$/\1/p' "$top/lib/aria.c")
for role in $roles; do
	case $role in none | presentation) continue ;; esac
	[ "$(grep -c "^ *- '*$role\( \|:\|\$\|'\)" want)" -ge 2 ] || echo "$role"
done >seldom
ok 'every role is there twice' test ! -s seldom
[ -s seldom ] && sed 's/^/# /' seldom >&2
done_testing
