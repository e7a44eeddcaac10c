/** The texts of what users may do and what is stored about them. */
import { texts } from '../../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const accessTexts = texts({ en, de, fr })
