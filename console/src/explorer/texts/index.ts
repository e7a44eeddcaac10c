/** The texts of the line above the explorer. */
import { texts } from '../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const barTexts = texts({ en, de, fr })
