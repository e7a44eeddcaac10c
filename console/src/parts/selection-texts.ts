/** The labels of the boxes that choose rows; not part of the first load. */
import type { Texts } from '../texts/index.tsx'

const en = { selectAll: 'Select all on this page', select: (name: string) => `Select ${name}` }

export const selectionTexts: Texts<typeof en> = {
  en,
  de: { selectAll: 'Alle auf dieser Seite auswählen', select: (name) => `${name} auswählen` },
  fr: { selectAll: 'Tout sélectionner sur cette page', select: (name) => `Sélectionner ${name}` },
}
