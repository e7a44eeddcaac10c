/** The texts of the building blocks, in English. */

export const en = {
  loading: 'Loading',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved.',
  back: 'Back',
  copied: 'Copied',
  copy: (label: string) => `Copy ${label}`,
  copyLink: 'Copy link to this page',
  shownOnce: 'Copy this now. It is not shown again.',
  formProblems: 'Please check your input',
  required: 'This field is required.',
  failure: {
    title: 'This did not work',
    lostTitle: 'Connection lost',
    lost: 'The server cannot be reached.',
    forbiddenTitle: 'No permission',
    forbidden: 'You do not have the permission for this.',
    notFoundTitle: 'Not found',
    code: 'Code',
  },
  remove: {
    title: (name: string) => `Remove “${name}”?`,
    consequence: 'This cannot be undone.',
    typeName: (name: string) => `Type “${name}” to confirm`,
    button: 'Remove',
  },
  list: {
    search: 'Search',
    all: 'All',
    total: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`),
    pages: 'Pages',
    empty: 'There is nothing here yet.',
    nothingFound: 'Nothing matches the search and the filters.',
    clear: 'Clear search and filters',
    sortBy: (column: string) => `Sort by ${column}`,
    sortLabel: 'Sort by',
    ascending: 'ascending',
    descending: 'descending',
  },
}

export type PartsTexts = typeof en
