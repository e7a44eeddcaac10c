/** The texts of what is done with several users at once, in English. */

export const en = {
  selected: '{count, plural, one {{count} user selected} other {{count} users selected}}',
  question: {
    lock: '{count, plural, one {Lock {count} user?} other {Lock {count} users?}}',
    deactivate: '{count, plural, one {Deactivate {count} user?} other {Deactivate {count} users?}}',
    remove: '{count, plural, one {Remove {count} user?} other {Remove {count} users?}}',
  },
  removeHint: 'Permanently deletes these users and all their data.',
  running: 'Working…',
  finished: 'Done',
  progress: '{done} of {total}',
  result: {
    lock: '{count, plural, one {{count} user locked.} other {{count} users locked.}}',
    deactivate: '{count, plural, one {{count} user deactivated.} other {{count} users deactivated.}}',
    remove: '{count, plural, one {{count} user removed.} other {{count} users removed.}}',
  },
  failed: '{count, plural, one {{count} user was not changed} other {{count} users were not changed}}',
} as const
