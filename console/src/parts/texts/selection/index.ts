/** The labels of the boxes that choose rows; not part of the first load. */
import { texts } from '../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const selectionTexts = texts({ en, de, fr })
