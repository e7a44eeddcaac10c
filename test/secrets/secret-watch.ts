/** Remembers secrets and where to look for them, and finds each in every spelling in which it could have been left. */

/** A place that secrets must not be in. */
export interface Place {
  readonly name: string
  readonly text: string
}

interface Form {
  readonly text: string
  /** Where the secret came from. */
  readonly from: string
  /** A secret so short that it would be found inside of longer words by chance. */
  readonly isWord: boolean
  readonly mayBeIn: RegExp | undefined
}

/** Positions are looked up by this many characters. */
const HEAD = 6
/** What has fewer characters is looked for as a word. */
const SHORT = 16

const WORD = /[\w.-]/

/** Base64 of bytes that stand at any place of something longer: the characters that do not depend on their neighbours. */
function insideBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return text.slice(offset === 0 ? 0 : offset + 1, (offset + bytes.length) % 3 === 0 ? undefined : -1)
  })
}

function spellings(bytes: Buffer): readonly string[] {
  const plain = bytes.toString('latin1')
  const base64 = insideBase64(bytes)
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = bytes.toString('hex')
  return [plain, plain.toLowerCase(), plain.toUpperCase(), hex, hex.toUpperCase(), ...base64, ...url]
}

/** Opens an empty watch. */
export function openWatch() {
  const forms = new Map<string, Form>()
  const places: Place[] = []

  /** Remembers a secret; `mayBeIn` names the places that it is in on purpose. */
  const keep = (secret: string | Uint8Array, from: string, mayBeIn?: RegExp): void => {
    const bytes = Buffer.from(secret as string)
    if (bytes.length < HEAD) throw new Error(`${from} is too short to be found again`)
    for (const text of spellings(bytes)) {
      const isWord = text.length < SHORT && /^[\w-]+$/.test(text)
      if (text.length >= HEAD && !forms.has(text)) forms.set(text, { text, from, isWord, mayBeIn })
    }
  }

  /** Every secret that is in a place where it must not be, with what stands around it. */
  const findHits = (): readonly string[] => {
    const byHead = Map.groupBy(forms.values(), ({ text }) => text.slice(0, HEAD))
    return places.flatMap(({ name, text }) => {
      const hits = new Set<string>()
      for (let at = 0; at <= text.length - HEAD; at++) {
        for (const form of byHead.get(text.slice(at, at + HEAD)) ?? []) {
          if (form.mayBeIn?.test(name) || !text.startsWith(form.text, at)) continue
          const neighbours = `${text[at - 1] ?? ''}${text[at + form.text.length] ?? ''}`
          if (form.isWord && WORD.test(neighbours)) continue
          const around = text.slice(Math.max(0, at - 60), at + form.text.length + 20)
          hits.add(`${form.from} is in ${name}: ${JSON.stringify(around)}`)
        }
      }
      return [...hits].slice(0, 5)
    })
  }

  return {
    keep,
    /** Remembers a place; bytes are looked through as they are. */
    look: (name: string, content: string | Uint8Array): void => {
      places.push({ name, text: Buffer.from(content as string).toString('latin1') })
    },
    findHits,
    counts: () => ({ forms: forms.size, places: places.length }),
  }
}

export type Watch = ReturnType<typeof openWatch>
