#!/bin/sh
# Prints settings with new passwords and secrets for deploy/compose.yaml:
#   sh deploy/new-env.sh > deploy/.env
# MEADOW_BASE_URL is the address that people use; for a public host name, the proxy gets a certificate by itself.
set -eu
umask 077

secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

cat <<END
MEADOW_BASE_URL=${1:-http://localhost}
MEADOW_SESSION_SECRET=$(secret)
POSTGRES_PASSWORD=$(secret)
OBJECTS_ACCESS_KEY=$(secret)
OBJECTS_SECRET_KEY=$(secret)
GRAFANA_PASSWORD=$(secret)
END
