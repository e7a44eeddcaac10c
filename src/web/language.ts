/** The language of a page: the chosen one, else the user's, else the one in the address, else the browser's, else English. */

import { DEFAULT_LANGUAGE, LANGUAGE_TAGS, type Language, languageOf } from '../kernel/languages.ts'
import { sentencesIn } from '../kernel/sentences.ts'
import de from './texts/de.json' with { type: 'json' }
import { en, type PageTranslation, type Texts } from './texts/en.ts'
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import it from './texts/it.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import nl from './texts/nl.json' with { type: 'json' }
import pl from './texts/pl.json' with { type: 'json' }
import pt from './texts/pt.json' with { type: 'json' }
import zh from './texts/zh.json' with { type: 'json' }

const TRANSLATIONS: Readonly<Record<Language, PageTranslation>> = { en, de, es, fr, it, nl, pl, pt, ja, zh }

const prepared = new Map<Language, Texts>()

/** Every sentence of the pages in this language. */
export function textsIn(language: Language): Texts {
  const found = prepared.get(language) ?? sentencesIn<typeof en>(TRANSLATIONS[language], language)
  prepared.set(language, found)
  return found
}

/** RFC 9110 §12.5.4: ranges with weights; the heaviest that we have, ties in the order given. */
function bestAccepted(header: string, allowed: readonly Language[]): Language | undefined {
  return header
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';')
      const weight = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(one)?.[1]).find(Boolean)
      return { language: languageOf(tag), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => language !== undefined && allowed.includes(language) && weight > 0)
    .sort((one, other) => other.weight - one.weight)[0]?.language
}

/** English, or else the first of the languages that users can choose. */
function fallbackOf(allowed: readonly Language[]): Language {
  return allowed.includes(DEFAULT_LANGUAGE) ? DEFAULT_LANGUAGE : (allowed[0] ?? DEFAULT_LANGUAGE)
}

/**
 * The links in our mails carry the user's own language in `lang`. It is never looked up by the user's id, because the
 * language of a page would then tell who exists. `own`: what was chosen with the switch, and the preferred language of
 * the user who is signed in.
 */
export function chooseLanguage(
  asked: string | null | undefined,
  acceptLanguage: string | undefined,
  own: readonly (string | undefined)[] = [],
  allowed: readonly Language[] = LANGUAGE_TAGS,
): Language {
  const isAllowed = (language: Language | undefined) => language !== undefined && allowed.includes(language)
  const known = [...own, asked].map((tag) => languageOf(tag ?? '')).find(isAllowed)
  return known ?? bestAccepted(acceptLanguage ?? '', allowed) ?? fallbackOf(allowed)
}
