/** What is said about the drawing of the sign-in page; the texts on it are those of the page itself. */
import { texts } from '../../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const previewTexts = texts({ en, de, fr })
