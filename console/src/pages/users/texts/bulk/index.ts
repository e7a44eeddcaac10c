/** The texts of what is done with several users at once. */
import { texts } from '../../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const bulkTexts = texts({ en, de, fr })
