/** What takes access away: switching something off and on again, and removing it. */
import { Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Children, Fragment, type ReactNode } from 'react'
import { ActionRow } from './action-row.tsx'
import { ConfirmEnd } from './confirm-end.tsx'
import { ConfirmRemove } from './confirm-remove.tsx'
import { Section } from './section.tsx'

/** The section, with a line between its rows. */
export function DangerSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Section title={title}>
      <Stack gap="md">
        {Children.toArray(children).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          <Fragment key={index}>
            {index > 0 && <Divider />}
            {row}
          </Fragment>
        ))}
      </Stack>
    </Section>
  )
}

interface ActivationRowProps {
  readonly texts: {
    readonly activate: string
    readonly activateHint: string
    readonly deactivate: string
    readonly deactivateHint: string
  }
  readonly isActive: boolean
  readonly isRunning: boolean
  /** The question before it is switched off; without one, it is switched off at once. */
  readonly question?: string
  onActivate(): unknown
  onDeactivate(): Promise<unknown>
}

/** Switches off what is on, and on what is off. */
export function ActivationRow({ texts, isActive, isRunning, question, onActivate, onDeactivate }: ActivationRowProps) {
  const off = { label: texts.deactivate, hint: texts.deactivateHint, isRunning }
  if (isActive && question !== undefined) return <AskingRow {...off} question={question} onConfirm={onDeactivate} />
  return isActive ? (
    <ActionRow {...off} onClick={onDeactivate} />
  ) : (
    <ActionRow label={texts.activate} hint={texts.activateHint} isRunning={isRunning} onClick={onActivate} />
  )
}

interface AskingRowProps {
  readonly label: string
  readonly hint: string
  /** The title of the dialog, which names the object: "Lock “Ada”?". */
  readonly question: string
  readonly isRunning: boolean
  onConfirm(): Promise<unknown>
}

/** Takes access away after a confirmation; the way back stays open. */
export function AskingRow({ label, hint, question, isRunning, onConfirm }: AskingRowProps) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <ActionRow label={label} hint={hint} onClick={open} />
      <ConfirmEnd
        title={question}
        text={hint}
        button={label}
        isOpen={isOpen}
        isRunning={isRunning}
        onClose={close}
        onConfirm={onConfirm}
      />
    </>
  )
}

interface RemoveRowProps {
  readonly texts: { readonly remove: string; readonly removeHint: string }
  /** The name of the object, as the user knows it. */
  readonly name: string
  readonly mustTypeName?: boolean
  readonly isRunning: boolean
  onRemove(): Promise<unknown>
}

/** Removes, after a confirmation that names the object. */
export function RemoveRow({ texts, name, mustTypeName = false, isRunning, onRemove }: RemoveRowProps) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <ActionRow label={texts.remove} hint={texts.removeHint} isDangerous onClick={open} />
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={texts.removeHint}
        mustTypeName={mustTypeName}
        isRunning={isRunning}
        onConfirm={onRemove}
      />
    </>
  )
}
