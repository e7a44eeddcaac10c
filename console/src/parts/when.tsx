/** A moment, in the user's time zone: how long ago, and exactly on hover. */
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { Text, Tooltip } from '@mantine/core'
import { useLanguage } from '../texts/index.tsx'

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

function relativeText(date: Date, language: string): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit)
  }
  return format.format(0, 'second')
}

/** A dash when there is no time. */
export function When({ time }: { readonly time: Timestamp | undefined }) {
  const { language } = useLanguage()
  if (time === undefined) return <Text component="span">–</Text>
  const date = timestampDate(time)
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }).format(date)
  return (
    <Tooltip label={exact}>
      <Text component="time" size="sm" dateTime={date.toISOString()}>
        {relativeText(date, language)}
      </Text>
    </Tooltip>
  )
}
