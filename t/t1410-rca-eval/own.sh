#!/bin/sh
# own: the authored answer to overlay, whatever is asked.
cat >/dev/null
printf '{"finish":"stop","provenance":"authored","output":%s}\n' "$(cat "$(dirname "$0")/../../golden/overlay/answers/rca.v1.0.json")"
