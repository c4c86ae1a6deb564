#!/bin/sh
# Builds Citus from its source and installs it for the PostgreSQL of `pg_config`: docs/operations/citus.md.
#
#   deploy/citus/build.sh [folder]      the source goes to the folder, ./citus-<version> by default
#
# Needs a C compiler, git, make and the headers of PostgreSQL, libkrb5, liblz4 and libzstd.
set -eu

version=v13.2.2
folder=${1:-citus-$version}
pg_config=${PG_CONFIG:-pg_config}

if [ ! -d "$folder" ]; then
  rm -rf "$folder.part"
  git clone --quiet --depth 1 --branch "$version" https://github.com/citusdata/citus "$folder.part"
  mv "$folder.part" "$folder"
fi
cd "$folder"
# Newer minor versions of PostgreSQL 15 declare this function themselves.
if grep -q have_createdb_privilege "$("$pg_config" --includedir-server)/commands/dbcommands.h"; then
  sed -i 's/^have_createdb_privilege(void)$/citus_&/' src/include/pg_version_compat.h
fi
./configure --quiet --without-libcurl PG_CONFIG="$pg_config"
make --silent -j "$(nproc)"
make --silent install ${DESTDIR:+"DESTDIR=$DESTDIR"}
