/** The texts of service providers of SAML, in German. */
import type { SamlTexts } from './en.ts'

export const de: SamlTexts = {
  metadata: 'Metadaten des Service-Providers',
  sources: { url: 'Von einer URL', xml: 'XML einfügen' },
  metadataUrl: 'Metadaten-URL des Service-Providers',
  metadataUrlHint:
    'Wird einmal beim Speichern abgerufen. Rufen Sie sie erneut ab, wenn das Produkt Adressen oder Zertifikate ändert.',
  metadataXml: 'Metadaten als XML',
  metadataXmlHint: 'Die ganze Datei, wie Sie sie vom Produkt heruntergeladen haben.',
  allowUnsolicited: 'Benutzer können hier beginnen (IdP-initiiert)',
  allowUnsolicitedHint:
    'Meldet Benutzer beim Produkt an, ohne dass es danach gefragt hat. Lassen Sie es aus, wenn das Produkt Anfragen senden kann: Das ist sicherer.',
  startUrl: 'Start-URL',
  readAgain: 'Metadaten erneut abrufen',
  readAgainDone: 'Die Metadaten wurden aktualisiert.',
  unchanged: 'Die Metadaten haben sich nicht geändert.',
  read: 'Aus den Metadaten gelesen',
  readHint: 'So behandelt der Server den Service-Provider.',
  entityIdOfProvider: 'Entity-ID des Service-Providers',
  responseUrls: 'Antworten gehen nur an',
  signedRequests: 'Anmeldeanfragen müssen signiert sein.',
  unsignedRequests: 'Anmeldeanfragen müssen nicht signiert sein.',
  encrypted: 'Assertions werden signiert und verschlüsselt.',
  notEncrypted:
    'Assertions werden signiert, aber nicht verschlüsselt: Die Metadaten enthalten keinen dafür geeigneten Schlüssel.',
  needs: 'Was der Service-Provider braucht',
  needsHint: 'Kopieren Sie diese Werte in die Einstellungen des Produkts.',
  product: 'Produkt',
  otherProduct: 'Anderes Produkt',
  steps: 'Schritte',
  stepsOf: {
    other: [
      'Wenn das Produkt eine Metadaten-URL annimmt, tragen Sie nur diese ein: Zertifikate erneuern sich dann ohne Ihr Zutun.',
      'Kopieren Sie sonst die Werte einzeln und laden Sie das Zertifikat hoch.',
      'Laden Sie die Metadaten des Produkts herunter oder kopieren Sie ihre URL, und tragen Sie sie hier ein.',
    ],
    google: [
      'Öffnen Sie in der Google Admin-Konsole „Sicherheit“, „Authentifizierung“, „SSO mit externem Identitätsanbieter“ und fügen Sie ein SAML-Profil hinzu. Die Felder heißen hier wie in der englischen Oberfläche.',
      'Tragen Sie die Werte unten ein und laden Sie das Zertifikat hoch.',
      'Speichern Sie das Profil und kopieren Sie dann „Entity ID“ und „ACS URL“ aus „SP details“.',
      'Weisen Sie das Profil Organisationseinheiten oder Gruppen zu. Die bestätigte E-Mail-Adresse jedes Benutzers muss seine Google-Adresse sein.',
    ],
    aws: [
      'Öffnen Sie im IAM Identity Center „Settings“, „Identity source“ und wählen Sie „Change identity source“, „External identity provider“.',
      'Wählen Sie „Download metadata file“ und fügen Sie den Inhalt hier als XML ein.',
      'Laden Sie unsere Metadatendatei unter „Identity provider metadata“ hoch.',
      'Benutzer müssen im IAM Identity Center vorhanden sein, und ihr Benutzername dort muss ihre bestätigte E-Mail-Adresse hier sein.',
    ],
    github: [
      'Öffnen Sie in den Einstellungen Ihrer Organisation oder Ihres Unternehmens „Authentication security“ und schalten Sie die SAML-Authentifizierung ein.',
      'Tragen Sie die Werte unten ein und fügen Sie den Inhalt der Zertifikatsdatei unter „Public certificate“ ein.',
      'Die Metadaten-URL ist https://github.com/orgs/ORGANIZATION/saml/metadata oder https://github.com/enterprises/ENTERPRISE/saml/metadata. Lässt sie sich nicht abrufen, öffnen Sie sie im Browser und fügen Sie das XML ein.',
      'Wählen Sie „Test SAML configuration“, bevor Sie speichern.',
    ],
    salesforce: [
      'Öffnen Sie im Setup „Single Sign-On Settings“, schalten Sie SAML ein und wählen Sie „New from Metadata URL“. Erreicht Salesforce diesen Server nicht, wählen Sie „New“ und tragen Sie die übrigen Werte ein.',
      'Wählen Sie als „SAML Identity Type“ das, woran Ihre Benutzer erkannt werden, etwa die Federation ID.',
      'Speichern Sie, wählen Sie „Download Metadata“ und fügen Sie den Inhalt hier als XML ein.',
    ],
  },
  other: {
    fields: [
      ['Metadaten-URL', 'metadata'],
      ['Entity-ID (Issuer)', 'entityId'],
      ['Anmelde-URL (SSO)', 'signOn'],
      ['Abmelde-URL (SLO)', 'logOut'],
    ],
    certificate: 'Zertifikat',
  },
  downloadMetadata: 'Metadaten herunterladen',
  downloadCertificate: 'Zertifikat herunterladen',
  template:
    'Wenn das Produkt nur eine Entity-ID und eine ACS-URL anzeigt, setzen Sie beide in diesen Text an die Stelle von ENTITY_ID und ACS_URL, und fügen Sie ihn als Metadaten ein.',
  templateName: 'Metadaten zum Ausfüllen',
}
