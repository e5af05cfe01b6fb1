#!/usr/bin/env bash
# The step of the action. Inputs come as variables, so that nothing in them is run.
set -euo pipefail

arguments=(--sarif "$MEADOW_SARIF" --markdown "$GITHUB_STEP_SUMMARY")
if [ -n "$MEADOW_JUNIT" ]; then arguments+=(--junit "$MEADOW_JUNIT"); fi
if [ -n "$MEADOW_CONFIG" ]; then arguments+=(--config "$MEADOW_CONFIG"); fi
if [ -n "$MEADOW_MAX_WARNINGS" ]; then arguments+=(--max-warnings "$MEADOW_MAX_WARNINGS"); fi
if [ "$MEADOW_ALLOW_UNKNOWN" = true ]; then arguments+=(--allow-unknown); fi
if [ "$MEADOW_REQUIRE_SNAPSHOTS" = true ]; then arguments+=(--require-snapshots); fi

paths=()
while IFS= read -r path; do
  if [ -n "$path" ]; then paths+=("$path"); fi
done <<< "$MEADOW_PATHS"

# The command is that of this checkout; its libraries are those of its lock file, without their scripts.
meadow=$(cd "$GITHUB_ACTION_PATH/../.." && pwd)
if [ ! -d "$meadow/node_modules" ]; then
  (cd "$meadow" && npm ci --ignore-scripts --omit=dev --workspace=@meadow/cli --include-workspace-root >&2)
fi
exec "$meadow/node_modules/.bin/meadow" check "${arguments[@]}" -- "${paths[@]:-.}"
