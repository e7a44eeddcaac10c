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
    title: (name: string) => `Remove “${name}”?`,
    consequence: 'This can’t be undone.',
    typeName: (name: string) => `Type “${name}” to confirm`,
    button: 'Remove',
  },
  list: {
    search: 'Search',
    all: 'All',
    total: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`),
    pages: 'Pages',
    empty: 'Nothing here yet.',
    byId: (id: string) => `Use ID “${id}”`,
    typeName: 'Type a name.',
    nothingFound: 'No results match your search and filters.',
    clear: 'Clear search and filters',
    sortBy: (column: string) => `Sort by ${column}`,
    sortLabel: 'Sort by',
    ascending: 'ascending',
    descending: 'descending',
  },
}

export type PartsTexts = typeof en
