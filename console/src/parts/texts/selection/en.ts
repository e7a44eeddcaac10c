/** The labels of the boxes that choose rows; not part of the first load, in English. */

export const en = { selectAll: 'Select all on this page', select: 'Select {name}' } as const
