/** What takes access away: switching something off and on again, and removing it. */
import { Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Children, Fragment, type ReactNode } from 'react'
import { ActionRow } from './action-row.tsx'
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
  onActivate(): unknown
  onDeactivate(): unknown
}

/** Switches off what is on, and on what is off. */
export function ActivationRow({ texts, isActive, isRunning, onActivate, onDeactivate }: ActivationRowProps) {
  return isActive ? (
    <ActionRow label={texts.deactivate} hint={texts.deactivateHint} isRunning={isRunning} onClick={onDeactivate} />
  ) : (
    <ActionRow label={texts.activate} hint={texts.activateHint} isRunning={isRunning} onClick={onActivate} />
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
