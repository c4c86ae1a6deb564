#!/bin/sh
# Makes Drover's role and database. Patroni runs this once, when it has made the cluster, with the superuser's address.
set -eu
psql "$1" --set ON_ERROR_STOP=1 --set password="$DROVER_DATABASE_PASSWORD" <<'SQL'
create role drover login password :'password';
create database drover owner drover;
SQL
