/** The texts of the building blocks, in English. */
import type { Sentences } from '../../texts/languages.ts'

export const en = {
  loading: 'Loading',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved.',
  back: 'Back',
  copied: 'Copied',
  copy: 'Copy {label}',
  copyLink: 'Copy link to this page',
  shownOnce: 'Copy it now. You won’t be able to see it again.',
  formProblems: 'Please check your input',
  required: 'This field is required.',
  failure: {
    title: 'Something went wrong',
    lostTitle: 'Connection lost',
    lost: 'The server can’t be reached.',
    forbiddenTitle: 'No permission',
    forbidden: 'You don’t have permission to do this.',
    notFoundTitle: 'Not found',
    code: 'Code',
  },
  remove: {
    title: 'Remove “{name}”?',
    consequence: 'This can’t be undone.',
    typeName: 'Type “{name}” to confirm',
    button: 'Remove',
  },
  list: {
    search: 'Search',
    all: 'All',
    total: '{count, plural, one {{count, number} entry} other {{count, number} entries}}',
    pages: 'Pages',
    empty: 'Nothing here yet.',
    byId: 'Use ID “{id}”',
    typeName: 'Type a name.',
    nothingFound: 'No results match your search and filters.',
    clear: 'Clear search and filters',
    sortBy: 'Sort by {column}',
    sortLabel: 'Sort by',
    ascending: 'ascending',
    descending: 'descending',
  },
} as const

export type PartsTexts = Sentences<typeof en>
