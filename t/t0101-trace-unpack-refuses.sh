#!/bin/sh
# trace-unpack: what it refuses, by which code, and that nothing is left of it.
. "$(dirname "$0")/lib.sh"
perl "$top/t/zip.pl" . refused && perl "$top/t/zip.pl" . names && perl "$top/t/zip.pl" . read && perl "$top/t/zip.pl" . other || exit

refuses() { # CODE COMMAND...: status 2, one line on stderr, an opener and a warning with the code
	code=$1; shift
	exits 2 "$@" && [ "$(wc -l <err)" -eq 1 ] && [ "$(wc -l <out)" -eq 2 ] &&
		grep -q "^trace-unpack: .*: refused: .*($code)\$" err &&
		sed -n 1p out | grep -q '"type":"trace"}$' && sed -n 2p out | grep -q "\"code\":\"$code\""
}
none() { [ -z "$("$@")" ]; } # COMMAND...: prints nothing
code() { name=${1##*/}; echo "${name%%-*}"; }
for z in E_*.zip; do
	case $z in
	E_SLIP* | E_NAME-* | E_DUPLICATE* | E_CLASH*)
		ok "$z is read" exits 0 trace-unpack "$z"
		ok "$z is not written" refuses "$(code "$z")" trace-unpack -d new "$z"
		;;
	*)
		ok "$z" refuses "$(code "$z")" trace-unpack "$z"
		trace-unpack -d new "$z" >out 2>err
		;;
	esac
done
for z in crc data longer shorter lying notrace none; do trace-unpack -d new $z.zip >out 2>err; done
ok 'none leaves anything' none find . -name '*new*'
# shellcheck disable=SC2016
ok 'no message shows what a terminal obeys or hides' sh -c 'for z in E_NAME-*.zip; do trace-unpack -d new "$z" 2>&1 >/dev/null; done |
	perl -ne "exit 1 if /[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xf3\xa0|(?<![\x80-\xff])[\x80-\xbf]|[\xc2-\xff](?![\x80-\xbf])/"'
ok 'limit: file' refuses E_SIZE trace-unpack -l file=1000 good.zip
ok 'limit: declared' refuses E_DECLARED trace-unpack -l declared=500 good.zip
ok 'limit: members' refuses E_MEMBERS trace-unpack -l members=7 good.zip
ok 'limit: directory' refuses E_DIRECTORY trace-unpack -l directory=400 good.zip
ok 'limit: ratio' exits 0 trace-unpack -l ratio=1030 E_RATIO-member.zip

ok 'a good one' exits 0 trace-unpack -d new/ folder.zip
ok 'becomes a folder' sh -c 'find new -type f | wc -l | grep -qx 8'
ok 'and the same trace' sh -c 'trace-unpack folder.zip | sed 1d >a; trace-unpack new | sed 1d | diff a -'
ok 'private' none find new '(' -type f ! -perm 600 ')' -o '(' -type d ! -perm 700 ')'
ok 'never over another' refuses E_EXISTS trace-unpack -d new good.zip
ok 'nor through a link' sh -c 'ln -s nowhere l; trace-unpack -d l good.zip; [ $? -eq 2 ] && [ ! -e nowhere ]'
ok 'nor where it cannot' refuses E_WRITE trace-unpack -d missing/new good.zip
ok 'what is there again to the byte is written once' sh -c 'trace-unpack -d again again.zip && find again -type f | wc -l | grep -qx 8'
ok 'one at a time' exits 2 trace-unpack -d two good.zip good.zip
# The process is ended while it writes: by a closed pipe, a full disk, a signal.
stopped() { # COMMAND WITH "trace-unpack -d stop": neither the folder nor what was to become it
	sh -c "$1" >out 2>err
	none find . -name '*stop*'
}
ok 'into a closed pipe' stopped 'trace-unpack -d stop lots.zip | :'
ok 'onto a full disk' stopped 'trace-unpack -d stop lots.zip >/dev/full'
# shellcheck disable=SC2016
ok 'and told to stop' stopped 'mkfifo pipe; trace-unpack -d stop lots.zip >pipe & p=$!; exec 3<pipe; read -r line <&3; kill $p; wait $p; [ $? -eq 143 ] || mkdir bad-stop'
ok 'nothing beside them' none find . -name '.*.??????'
done_testing
