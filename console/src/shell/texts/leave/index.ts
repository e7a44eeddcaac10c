/** The texts of the question whether unsaved changes may be lost. */
import { texts } from '../../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const leaveTexts = texts({ en, de, fr })
