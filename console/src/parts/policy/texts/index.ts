/** The texts of settings that organizations can have of their own. */
import { texts } from '../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const policyTexts = texts({ en, de, fr })
