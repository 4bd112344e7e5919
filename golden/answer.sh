#!/bin/sh
# answer: the authored answer to a golden case, for llm-call -m exec:golden/answer.sh.
set -eu
golden=$(cd "$(dirname "$0")" && pwd)
read -r name epoch prompt <<END
$(jq -r '[(.name | split("/") | last), .epoch // 0, .prompt] | join(" ")')
END
answer=$golden/$name/answers/$prompt.$epoch.json
[ -f "$answer" ] || { echo "answer: no ${answer#"$golden"/}" >&2; exit 1; }
printf '{"finish":"stop","provenance":"authored","output":'
cat "$answer"
echo '}'
