/** A small form that adds a credential with a day on which it expires. */
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { dayIn, endOfDay } from '../../../parts/expiry.ts'
import { partsTexts } from '../../../parts/texts/index.ts'
import type { Action } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { credentialTexts } from './texts/index.ts'

interface ExpiryFormProps<Input extends DescMessage, Output extends DescMessage> {
  readonly label: string
  readonly button: string
  readonly action: Action<Input, Output>
  requestOf(expirationDate: Timestamp): MessageInitShape<Input>
}

/** The form. It starts with a year, and takes no day that has passed. */
export function ExpiryForm<Input extends DescMessage, Output extends DescMessage>(
  props: ExpiryFormProps<Input, Output>,
) {
  const { label, button, action, requestOf } = props
  const t = useTexts(credentialTexts)
  const { required } = useTexts(partsTexts)
  const [day, setDay] = useState(() => dayIn(365))
  const [error, setError] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const expirationDate = endOfDay(day)
    if (expirationDate === undefined) return setError(required)
    if (day < dayIn(0)) return setError(t.expiryPassed)
    setError('')
    return void action.run(requestOf(expirationDate))
  }
  return (
    <form onSubmit={send} noValidate>
      <Group align="flex-start">
        <TextInput
          type="date"
          label={label}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
          required
          error={error || undefined}
        />
        <Button type="submit" loading={action.isRunning} mt={{ base: 0, xs: 25 }}>
          {button}
        </Button>
      </Group>
    </form>
  )
}
