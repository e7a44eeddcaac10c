/** The built-in texts of the hosted pages, from the files that the pages themselves are made of; loaded language by language. */
import { useQuery } from '@tanstack/react-query'
import type { Language } from '../../../../src/kernel/languages.ts'
import { sentencesIn } from '../../../../src/kernel/sentences.ts'
import type { en, PageTranslation } from '../../../../src/web/texts/en.ts'

const TEXTS: Readonly<Record<Language, () => Promise<PageTranslation>>> = {
  en: async () => (await import('../../../../src/web/texts/en.ts')).en,
  de: async () => (await import('../../../../src/web/texts/de.json')).default,
  es: async () => (await import('../../../../src/web/texts/es.json')).default,
  fr: async () => (await import('../../../../src/web/texts/fr.json')).default,
  it: async () => (await import('../../../../src/web/texts/it.json')).default,
  nl: async () => (await import('../../../../src/web/texts/nl.json')).default,
  pl: async () => (await import('../../../../src/web/texts/pl.json')).default,
  pt: async () => (await import('../../../../src/web/texts/pt.json')).default,
  ja: async () => (await import('../../../../src/web/texts/ja.json')).default,
  zh: async () => (await import('../../../../src/web/texts/zh.json')).default,
}

/** The texts of a language, as soon as they are loaded. */
export function usePageTexts(language: Language) {
  return useQuery({
    queryKey: ['built-in page texts', language],
    queryFn: async () => sentencesIn<typeof en>(await TEXTS[language](), language),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
