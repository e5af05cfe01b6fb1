#!/bin/bash
# OpenStack Swift with the S3 API on this machine, for the tests of object stores; from Debian's packages.
#
#   tools/swift.sh start [FOLDER]   starts it and prints the variables of the tests
#   tools/swift.sh stop [FOLDER]    ends it and removes the folder
#   tools/swift.sh test             starts it, runs the suite of all stores on it, and stops it
#
# Needs: apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object memcached
# (their own services are not used), and a file system with extended attributes.
set -euo pipefail

command=${1:-}
folder=${2:-/tmp/meadow-swift}
proxy_port=${SWIFT_PORT:-18080}
account_port=$((proxy_port + 2)) container_port=$((proxy_port + 1)) object_port=$((proxy_port + 3))
memcached_port=$((proxy_port + 4))

needs() {
  local missing=()
  for program in swift-proxy-server swift-account-server swift-container-server swift-object-server swift-ring-builder memcached; do
    command -v "$program" > /dev/null || missing+=("$program")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Missing: ${missing[*]}. Install them with:" >&2
  echo "  apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object memcached" >&2
  exit 1
}

# One ring of one device, with one copy.
ring() {
  (
    cd "$folder/etc"
    swift-ring-builder "$1.builder" create 4 1 0
    swift-ring-builder "$1.builder" add "r1z1-127.0.0.1:$2/disk" 1
    swift-ring-builder "$1.builder" rebalance
  ) > /dev/null
}

storage_server() {
  cat > "$folder/etc/$1-server.conf" << END
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $2
devices = $folder/devices
mount_check = false
user = $(id -un)
swift_dir = $folder/etc
workers = 1
disable_fallocate = true
[pipeline:main]
pipeline = $1-server
[app:$1-server]
use = egg:swift#$1
[$1-replicator]
[$1-updater]
[$1-auditor]
END
}

proxy_server() {
  cat > "$folder/etc/proxy-server.conf" << END
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $proxy_port
user = $(id -un)
swift_dir = $folder/etc
workers = 2
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$memcached_port
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
END
}

run() {
  local name=$1
  shift
  "$@" > "$folder/log/$name" 2>&1 &
  echo $! >> "$folder/pids"
}

await_port() {
  for _ in $(seq 300); do
    if (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null; then return; fi
    sleep 0.1
  done
  echo "Nothing answers at port $1: see $folder/log" >&2
  exit 1
}

start() {
  needs
  if [ -e "$folder" ]; then
    echo "$folder exists: tools/swift.sh stop $folder" >&2
    exit 1
  fi
  mkdir -p "$folder"/{etc,log,devices/disk}
  printf '[swift-hash]\nswift_hash_path_suffix = meadow\n[storage-policy:0]\nname = one\ndefault = yes\n' > "$folder/etc/swift.conf"
  ring account $account_port
  ring container $container_port
  ring object $object_port
  storage_server account $account_port
  storage_server container $container_port
  storage_server object $object_port
  proxy_server
  export SWIFT_CONF_DIR="$folder/etc"
  run memcached memcached -u "$(id -un)" -l 127.0.0.1 -p $memcached_port
  for server in account container object proxy; do run "$server" "swift-$server-server" "$folder/etc/$server-server.conf"; done
  for port in $memcached_port $account_port $container_port $object_port $proxy_port; do await_port "$port"; done
  # The bucket, with the older API, which needs no signature.
  local token
  token=$(curl -sS -i -H 'X-Storage-User: test:tester' -H 'X-Storage-Pass: testing' \
    "http://127.0.0.1:$proxy_port/auth/v1.0" | tr -d '\r' | sed -n 's/^X-Auth-Token: //ip')
  curl -sSf -X PUT -H "X-Auth-Token: $token" "http://127.0.0.1:$proxy_port/v1/AUTH_test/meadow-test"
}

variables() {
  echo "MEADOW_TEST_S3=s3://meadow-test?endpoint=http://127.0.0.1:$proxy_port"
  echo "AWS_ACCESS_KEY_ID=test:tester"
  echo "AWS_SECRET_ACCESS_KEY=testing"
}

stop() {
  if [ -f "$folder/pids" ]; then
    while read -r pid; do kill "$pid" 2> /dev/null || true; done < "$folder/pids"
  fi
  rm -rf "$folder"
}

case "$command" in
  start)
    start
    variables
    ;;
  stop) stop ;;
  test)
    trap stop EXIT
    start
    variables | sed 's/^/# /'
    env $(variables) node --test --test-reporter=spec apps/server/src/platform/blobs/stores.test.ts
    ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
