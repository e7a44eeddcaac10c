/** Proves that the organization controls a domain: shows what to publish, and lets the server look for it. */
import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  DomainValidationType,
  type GenerateOrganizationDomainValidationResponse,
} from '../../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { readFailure } from '../../api/errors.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { organizationTexts } from './texts/index.ts'

const TYPES = { dns: DomainValidationType.DNS, http: DomainValidationType.HTTP } as const

type Proof = keyof typeof TYPES

interface DomainVerificationProps {
  readonly organizationId: string
  readonly domain: string
  onClose(): void
}

/** The dialog, while it is open. */
export function DomainVerification({ organizationId, domain, onClose }: DomainVerificationProps) {
  const t = useTexts(organizationTexts)
  const { close } = useTexts(partsTexts)
  const [proof, setProof] = useState<Proof>('dns')
  const [challenge, setChallenge] = useState<GenerateOrganizationDomainValidationResponse>()
  const { generateOrganizationDomainValidation } = OrganizationService.method
  const generate = useAction(generateOrganizationDomainValidation, {
    done: t.domains.generateDone,
    onDone: setChallenge,
  })
  const choose = (next: string) => {
    setProof(next as Proof)
    setChallenge(undefined)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t.domains.verifyNamed({ domain })}
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Text size="sm">{t.domains.explanation}</Text>
        <SegmentedControl
          aria-label={t.domains.proof}
          value={proof}
          onChange={choose}
          data={[
            { value: 'dns', label: t.domains.dns },
            { value: 'http', label: t.domains.http },
          ]}
        />
        {challenge === undefined ? (
          <Group justify="flex-end">
            <Button
              loading={generate.isRunning}
              onClick={() => generate.run({ organizationId, domain, type: TYPES[proof] })}
            >
              {t.domains.generate}
            </Button>
          </Group>
        ) : (
          <Challenge
            proof={proof}
            challenge={challenge}
            organizationId={organizationId}
            domain={domain}
            onClose={onClose}
          />
        )}
      </Stack>
    </Modal>
  )
}

interface ChallengeProps extends DomainVerificationProps {
  readonly proof: Proof
  readonly challenge: GenerateOrganizationDomainValidationResponse
}

function Challenge({ proof, challenge: { token, url }, organizationId, domain, onClose }: ChallengeProps) {
  const { domains: t } = useTexts(organizationTexts)
  const [isNotFound, setNotFound] = useState(false)
  const { verifyOrganizationDomain, listOrganizationDomains, listOrganizations } = OrganizationService.method
  const verify = useAction(verifyOrganizationDomain, {
    done: t.verifyDone,
    changes: [listOrganizationDomains, listOrganizations],
    onDone: onClose,
    onError: (error) => {
      const isMissing = readFailure(error).id === 'organization.domain_not_proven'
      setNotFound(isMissing)
      return isMissing
    },
  })
  return (
    <>
      <Text size="sm">{proof === 'dns' ? t.dnsHint : t.httpHint}</Text>
      <CopyField label={proof === 'dns' ? t.recordName : t.url} value={url} />
      <CopyField label={proof === 'dns' ? t.recordValue : t.content} value={token} />
      {isNotFound && (
        <Alert
          color="yellow"
          title={t.notFoundTitle}
          // The usual colour of the title is too pale on yellow.
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          {proof === 'dns' ? t.dnsNotFound : t.httpNotFound}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button loading={verify.isRunning} onClick={() => verify.run({ organizationId, domain })}>
          {t.verify}
        </Button>
      </Group>
    </>
  )
}
