/** The built-in texts of the hosted pages, from the files that the pages themselves are made of; loaded language by language. */
import { useQuery } from '@tanstack/react-query'
import type { Language } from '../../../../src/kernel/languages.ts'
import type { Texts as PageTexts } from '../../../../src/web/texts/en.ts'

const TEXTS: Readonly<Record<Language, () => Promise<PageTexts>>> = {
  en: async () => (await import('../../../../src/web/texts/en.ts')).en,
  de: async () => (await import('../../../../src/web/texts/de.ts')).de,
  es: async () => (await import('../../../../src/web/texts/es.ts')).es,
  fr: async () => (await import('../../../../src/web/texts/fr.ts')).fr,
  it: async () => (await import('../../../../src/web/texts/it.ts')).it,
  nl: async () => (await import('../../../../src/web/texts/nl.ts')).nl,
  pl: async () => (await import('../../../../src/web/texts/pl.ts')).pl,
  pt: async () => (await import('../../../../src/web/texts/pt.ts')).pt,
  ja: async () => (await import('../../../../src/web/texts/ja.ts')).ja,
  zh: async () => (await import('../../../../src/web/texts/zh.ts')).zh,
}

/** The texts of a language, as soon as they are loaded. */
export function usePageTexts(language: Language) {
  return useQuery({
    queryKey: ['built-in page texts', language],
    queryFn: TEXTS[language],
    staleTime: Number.POSITIVE_INFINITY,
  })
}
