#!/bin/sh
# Records of traces and running text, with every rule on; beside grep -c, and secretlint from npm.
set -eu
cd "${build:?}/bench"
top=${top:?}
peers=$top/build/peers
[ -s redact.in ] || perl -e '
	srand 7;
	sub any { join "", map { ("a" .. "z", "A" .. "Z", 0 .. 9)[rand 62] } 1 .. shift }
	my @words = qw(the order is shown after waiting for locator button visible timeout expect received);
	sub prose { join " ", map { $words[rand @words] } 1 .. shift }
	for my $i (1 .. 24000) {
		my $digest = join "", map { sprintf "%02x", rand 256 } 1 .. 20;
		print qq({"type":"request","id":"r$i","method":"GET","url":"https://shop.test/api/items/$i?page=2&sort=asc",),
		    qq("status":200,"request_headers":{"accept":"*/*","accept-language":"en-US","cookie":"sid=), any(24),
		    qq(; theme=dark","referer":"https://shop.test/"},"response_headers":{"etag":"\\"$digest\\"",),
		    qq("content-type":"application/json"},"response_sha1":"$digest"}\n) if $i % 6 == 0;
		print qq({"type":"snapshot","call":"call\@$i","aria":"- heading \\"Shop\\" [level=1]\\n- list:\\n),
		    join("", map { qq(  - listitem: ) . prose(9) . qq( $_\\n) } 1 .. 20), qq("}\n);
		print qq({"type":"action","id":"call\@$i","api":"locator.click","title":"Click","locator":"getByRole(\x27button\x27)",),
		    qq("log":["waiting for getByRole(\x27button\x27)","  locator resolved to <button class=\\"btn-$i\\">"]}\n);
		print "[", prose(3), "] ", prose(14), " at Object.run (/srv/app/e2e/shop.spec.ts:$i:9)\n";
	}' >redact.in
bytes=$(wc -c <redact.in)
mbs() { # NAME COMMAND...: how fast, by CPU time of one run
	name=$1; shift
	ms=$(perl -e 'my $pid = fork // die; if (!$pid) { open STDOUT, ">", "/dev/null"; exec @ARGV or die }
		waitpid $pid, 0; my (undef, undef, $u, $s) = times; printf "%d", 1000 * ($u + $s) + 1' "$@")
	printf '%-44s %6d ms %8.1f MB/s\n' "$name" "$ms" "$(echo "$bytes $ms" | awk '{ print $1 / 1000 / $2 }')"
}
echo "-- redact: $((bytes / 1000000)) MB"
mbs 'redact' redact redact.in
all=$ms
mbs 'redact -P' redact -P redact.in
mbs 'grep -c Bearer' grep -c Bearer redact.in
echo "redact takes $(echo "$all $ms" | awk '{ printf "%.0f", $1 / $2 }') times the time of grep -c"
head -c 4000000 redact.in >redact.small
if [ -x "$peers/node_modules/.bin/secretlint" ]; then
	bytes=$(wc -c <redact.small)
	echo '{"rules":[{"id":"@secretlint/secretlint-rule-preset-recommend"}]}' >.secretlintrc.json
	ln -sfn "$peers/node_modules" node_modules # its rules are looked for below the folder
	mbs 'secretlint preset-recommend, 4 MB' node_modules/.bin/secretlint \
		--secretlintrc .secretlintrc.json redact.small
else
	echo 'secretlint: not there; t/p0510-secretlint.sh brings it'
fi
