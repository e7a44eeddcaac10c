/** A drawing of the hosted pages of one area with the texts of the form; nothing in it works. */
import type { CustomizableText, PageTextArea } from '../../../../src/features/settings/page-texts/catalogue.ts'
import { BUILT_IN } from './look.ts'
import classes from './sign-in-preview.module.css'
import { textsOfArea, withSamples } from './text-values.ts'

type Part = readonly [key: string, text: CustomizableText]

/** Each heading begins a page. */
function pagesOf(area: PageTextArea): readonly (readonly Part[])[] {
  const pages: Part[][] = []
  for (const part of textsOfArea(area)) {
    const page = pages.at(-1)
    if (page === undefined || part[1].part === 'heading') pages.push([part])
    else page.push(part)
  }
  return pages
}

interface AreaPreviewProps {
  readonly label: string
  readonly area: PageTextArea
  /** The text of a key as the page would show it. */
  shown(key: string): string
}

/** The drawing. Its parts are read out as one list, because the fields beside it have them already. */
export function AreaPreview({ label, area, shown }: AreaPreviewProps) {
  const { primaryColor, backgroundColor, fontColor } = BUILT_IN.light
  const texts = textsOfArea(area).map(([key]) => withSamples(shown(key)))
  return (
    <figure className={classes.figure} aria-label={`${label}. ${texts.join(', ')}`}>
      {pagesOf(area).map((parts) => (
        <div
          key={parts[0]?.[0]}
          className={classes.page}
          style={{ background: backgroundColor, color: fontColor, marginBottom: '1rem' }}
          aria-hidden="true"
        >
          {parts.map(([key, { part }]) => (
            <DrawnPart key={key} part={part} text={withSamples(shown(key))} color={primaryColor} />
          ))}
        </div>
      ))}
    </figure>
  )
}

interface DrawnPartProps {
  readonly part: CustomizableText['part']
  readonly text: string
  readonly color: string
}

function DrawnPart({ part, text, color }: DrawnPartProps) {
  if (part === 'heading') return <p className={classes.title}>{text}</p>
  if (part === 'text') return <p>{text}</p>
  if (part === 'button') {
    return (
      <p className={classes.button} style={{ background: color, color: '#ffffff' }}>
        {text}
      </p>
    )
  }
  return (
    <div className={classes.field}>
      <span>{text}</span>
      <div className={classes.box} />
    </div>
  )
}
