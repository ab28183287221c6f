#!/usr/bin/env bash
# Process 1 of a container until its program takes its place. ContainerProcess starts it as root in
# new mount, process and host name spaces; the network is the pod's already.
#   container.sh FOLDER IMAGE READ_ONLY_ROOT UID GID GROUPS COMMAND...
# FOLDER holds what the container needs: environment (name=value, each ended by NUL), mounts
# (source, target and ro or rw, by tabs), hosts, hostname.
set -euo pipefail
folder=$1 image=$2 read_only=$3 uid=$4 gid=$5 groups=$6
shift 6

cat "$folder/hostname" >/proc/sys/kernel/hostname

# The file system of the image below, what the container writes above.
mkdir -p "$folder/upper" "$folder/work" "$folder/root"
root=$folder/root
mount -t overlay overlay -o "lowerdir=$image,upperdir=$folder/upper,workdir=$folder/work" "$root"
mkdir -p "$root/proc" "$root/dev" "$root/sys/fs/cgroup" "$root/etc"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s /proc/self/fd "$root/dev/fd"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
for file in hosts hostname; do
  touch "$root/etc/$file"
  mount --bind "$folder/$file" "$root/etc/$file"
done
while IFS=$'\t' read -r source target mode; do
  if [ -d "$source" ]; then mkdir -p "$root$target"; else mkdir -p "$(dirname "$root$target")"; touch "$root$target"; fi
  mount --bind "$source" "$root$target"
  [ "$mode" = rw ] || mount -o remount,bind,ro "$root$target"
done <"$folder/mounts"
[ "$read_only" = false ] || mount -o remount,bind,ro "$root"

mapfile -d '' -t environment <"$folder/environment"
chroot=$(command -v chroot)
# Of root's rights only those that chroot needs are left, and none can be gained after it.
exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+sys_chroot,+setuid,+setgid \
  env -i "${environment[@]}" "$chroot" --userspec="$uid:$gid" --groups="$groups" "$root" "$@"
