/** The sentences of events with names in them. */
import { texts } from '../../texts/languages.ts'
import de from './de.json' with { type: 'json' }
import { en } from './en.ts'
import fr from './fr.json' with { type: 'json' }

export const namedTexts = texts({ en, de, fr })
