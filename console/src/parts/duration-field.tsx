/** A length of time: a number and its unit. Its value is in seconds. */
import { Group, Input, NativeSelect, NumberInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useLanguage } from '../texts/index.tsx'

const UNITS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const

type Unit = keyof typeof UNITS

interface DurationFieldProps {
  readonly label: string
  readonly description?: string
  readonly error?: React.ReactNode
  readonly value: number
  onChange(seconds: number): void
  readonly disabled?: boolean
}

/** The largest unit in which the value is a whole number. */
function unitOf(seconds: number): Unit {
  const names = Object.keys(UNITS).reverse() as Unit[]
  return seconds === 0 ? 'hour' : (names.find((name) => seconds % UNITS[name] === 0) ?? 'second')
}

function unitName(unit: Unit, language: string): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).formatToParts(2)
  return parts.find(({ type }) => type === 'unit')?.value ?? unit
}

/** The field. */
export function DurationField({ label, description, error, value, onChange, disabled = false }: DurationFieldProps) {
  const { language } = useLanguage()
  const [unit, setUnit] = useState(() => unitOf(value))
  const id = useId()
  const options = (Object.keys(UNITS) as Unit[]).map((name) => ({ value: name, label: unitName(name, language) }))
  const choose = (next: Unit) => {
    onChange(Math.round(value / UNITS[unit]) * UNITS[next])
    setUnit(next)
  }
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      labelElement="label"
      labelProps={{ htmlFor: id }}
    >
      <Group gap="xs" wrap="nowrap" mt={4}>
        <NumberInput
          id={id}
          flex={1}
          min={0}
          disabled={disabled}
          error={error !== undefined && error !== null && error !== ''}
          value={value / UNITS[unit]}
          onChange={(next) => onChange(Math.round(Number(next || 0) * UNITS[unit]))}
          aria-description={unitName(unit, language)}
          hideControls
        />
        <NativeSelect
          w="9rem"
          aria-label={`${label}: ${unitName(unit, language)}`}
          data={options}
          disabled={disabled}
          value={unit}
          onChange={(event) => choose(event.currentTarget.value as Unit)}
        />
      </Group>
    </Input.Wrapper>
  )
}
