#!/usr/bin/env bash
# @hey-api/openapi-ts 0.90.0 makes a client of an OpenAPI document. Its peer is `typescript: >=5.5.3`, and 0.99.0 says the same.
# Guess before the run: npm adds a TypeScript that the generator works with, since the range names what it works with.
# Seen: npm adds typescript 7.0.2, whose package has no `ts.factory` and `NewLineKind`, so the generator fails before it reads
# the document. With typescript 5.9.3 beside it the same command makes the client.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >api.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "One", "version": "1" },
  "paths": { "/one": { "get": { "operationId": "getOne", "responses": { "200": { "description": "One." } } } } } }
JSON
generate() {
  mkdir "$1" && cd "$1"
  npm init -y >/dev/null
  npm install --ignore-scripts --no-audit --no-fund --silent @hey-api/openapi-ts@0.90.0 "typescript@$1"
  if npx --no-install openapi-ts -i ../api.json -o client >out 2>&1; then echo "typescript $1: $(grep -c 'export const getOne' client/sdk.gen.ts) operation"
  else echo "typescript $1: $(grep -o 'TypeError: .*' out)"; fi
  cd ..
}
range=$(npm view @hey-api/openapi-ts@0.90.0 peerDependencies.typescript)
seen="$range"$'\n'"$(generate 7.0.2)"$'\n'"$(generate 5.9.3)"
echo "$seen"
[ "$seen" = $'>=5.5.3\ntypescript 7.0.2: TypeError: Cannot read properties of undefined (reading \'LineFeed\')\ntypescript 5.9.3: 1 operation' ] ||
  { echo 'The behaviour has changed.'; exit 1; }
