#!/bin/sh
# Creates Drover's role and database. Patroni runs this once, after it creates the cluster, with the superuser's URL.
set -eu
psql "$1" --set ON_ERROR_STOP=1 --set password="$DROVER_DATABASE_PASSWORD" <<'SQL'
create role drover login password :'password';
create database drover owner drover;
SQL
