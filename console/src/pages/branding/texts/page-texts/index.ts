/** The texts of the page on which the texts of the hosted pages are changed. */
import { texts } from '../../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const pageTextsTexts = texts({ en, de, fr })
