/** The texts of the charts of sign-ins. */
import { texts } from '../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const chartTexts = texts({ en, de, fr })
