/** The built-in texts of emails, by language. Pure. */
import type { Language } from '../../kernel/languages.ts'
import { type Sentences, sentencesIn } from '../../kernel/sentences.ts'
import type { LanguageTexts, MessageParts, MessageType } from './message-types.ts'
import de from './texts/de.json' with { type: 'json' }
import { en } from './texts/en.ts'
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import it from './texts/it.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import nl from './texts/nl.json' with { type: 'json' }
import pl from './texts/pl.json' with { type: 'json' }
import pt from './texts/pt.json' with { type: 'json' }
import zh from './texts/zh.json' with { type: 'json' }

/** The texts of all languages. */
export const BUILT_IN: Readonly<Record<Language, LanguageTexts>> = { en, de, es, fr, it, nl, pl, pt, ja, zh }

/** The labels around the parts of an email. */
export function labelsIn(language: Language): Sentences<typeof en.labels> {
  return sentencesIn<typeof en.labels>(BUILT_IN[language].labels, language)
}

/** The parts of a type in a language. */
export function builtInParts(type: MessageType, language: Language): MessageParts {
  return BUILT_IN[language].messages[type]
}
