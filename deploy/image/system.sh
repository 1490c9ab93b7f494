#!/bin/sh
# `sh system.sh <folder>`: copies the part of this Debian that Portico needs: the C libraries, a shell and its usual tools.
# The package manager, Perl and every program that could give more rights stay behind.
set -eu
to=$1
packages='base-files coreutils dash findutils gcc-12-base grep gzip hostname libacl1 libattr1 libc-bin libc6 libgcc-s1 libgmp10
  libpcre2-8-0 libselinux1 libstdc++6 sed tar'
# Character sets of iconv, manuals and translations. The licences in /usr/share/doc stay.
unread='/gconv/|^/usr/share/(man|info|locale|lintian|menu|bug|gdb|bash-completion)/|^/usr/share/doc/.*/(changelog|NEWS|README|TODO|THANKS|AUTHORS|examples|FAQ|HISTORY)'

for folder in bin sbin lib lib64; do
  mkdir -p "$to/usr/$folder"
  ln -s "usr/$folder" "$to/$folder"
done
for folder in dev etc proc root run sys tmp var/lib/dpkg var/tmp; do mkdir -p "$to/$folder"; done
chmod 1777 "$to/tmp" "$to/var/tmp"
# shellcheck disable=SC2086
dpkg-query --listfiles $packages | sort -u | grep -Ev "$unread" | while read -r file; do
  if [ -L "$file" ] || [ -f "$file" ]; then echo "${file#/}"; fi
done | tar --create --directory / --files-from=- | tar --extract --directory "$to" --keep-directory-symlink
cp -a /etc/passwd /etc/group /etc/nsswitch.conf "$to/etc/"
# For scanners, which look up vulnerabilities by package.
# shellcheck disable=SC2086
dpkg-query --status $packages >"$to/var/lib/dpkg/status"
