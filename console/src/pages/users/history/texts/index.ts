/** The texts of the history of a user. */
import { texts } from '../../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const historyTexts = texts({ en, de, fr })
