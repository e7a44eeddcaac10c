/** The texts of service providers of SAML, in French. */
import type { SamlTexts } from './en.ts'

export const fr: SamlTexts = {
  metadata: 'Métadonnées du fournisseur de services',
  sources: { url: 'Depuis une URL', xml: 'Coller le XML' },
  metadataUrl: 'URL des métadonnées du fournisseur de services',
  metadataUrlHint: 'Lue une fois, à l’enregistrement. Relisez-la quand le produit change d’adresses ou de certificats.',
  metadataXml: 'Métadonnées en XML',
  metadataXmlHint: 'Le fichier entier, tel que vous l’avez téléchargé depuis le produit.',
  allowUnsolicited: 'Permettre aux utilisateurs de commencer ici (initié par l’IdP)',
  allowUnsolicitedHint:
    'Connecte les utilisateurs au produit sans demande de sa part. Laissez désactivé si le produit peut envoyer des demandes : c’est plus sûr.',
  startUrl: 'URL de départ',
  readAgain: 'Relire les métadonnées',
  readAgainDone: 'Les métadonnées ont été mises à jour.',
  unchanged: 'Les métadonnées n’ont pas changé.',
  read: 'Lu dans les métadonnées',
  readHint: 'Voici comment le serveur traite le fournisseur de services.',
  entityIdOfProvider: 'ID d’entité du fournisseur de services',
  responseUrls: 'Les réponses ne sont envoyées qu’à',
  signedRequests: 'Les demandes de connexion doivent être signées.',
  unsignedRequests: 'Les demandes de connexion n’ont pas à être signées.',
  encrypted: 'Les assertions sont signées et chiffrées.',
  notEncrypted:
    'Les assertions sont signées mais pas chiffrées : les métadonnées ne contiennent pas de clé utilisable pour cela.',
  needs: 'Ce dont le fournisseur de services a besoin',
  needsHint: 'Copiez ces valeurs dans les paramètres du produit.',
  product: 'Produit',
  otherProduct: 'Autre produit',
  steps: 'Étapes',
  stepsOf: {
    other: [
      'Si le produit accepte une URL de métadonnées, saisissez seulement celle-ci : les certificats sont alors renouvelés sans vous.',
      'Sinon, copiez les valeurs une à une et importez le certificat.',
      'Téléchargez les métadonnées du produit, ou copiez leur URL, et saisissez-les ici.',
    ],
    google: [
      'Dans la console d’administration Google, ouvrez « Sécurité », « Authentification », « SSO avec un fournisseur d’identité tiers » et ajoutez un profil SAML. Les champs portent ici leurs noms anglais.',
      'Saisissez les valeurs ci-dessous et importez le certificat.',
      'Enregistrez le profil, puis copiez « Entity ID » et « ACS URL » depuis « SP details ».',
      'Attribuez le profil à des unités organisationnelles ou à des groupes. L’adresse e-mail vérifiée de chaque utilisateur doit être son adresse Google.',
    ],
    aws: [
      'Dans IAM Identity Center, ouvrez « Settings », « Identity source » et choisissez « Change identity source », « External identity provider ».',
      'Choisissez « Download metadata file » et collez son contenu ici en XML.',
      'Importez notre fichier de métadonnées sous « Identity provider metadata ».',
      'Les utilisateurs doivent exister dans IAM Identity Center, et leur nom d’utilisateur doit y être leur adresse e-mail vérifiée ici.',
    ],
    github: [
      'Dans les paramètres de votre organisation ou entreprise, ouvrez « Authentication security » et activez l’authentification SAML.',
      'Saisissez les valeurs ci-dessous et collez le contenu du fichier du certificat sous « Public certificate ».',
      'L’URL des métadonnées est https://github.com/orgs/ORGANIZATION/saml/metadata ou https://github.com/enterprises/ENTERPRISE/saml/metadata. Si elle ne peut pas être lue, ouvrez-la dans votre navigateur et collez le XML.',
      'Choisissez « Test SAML configuration » avant d’enregistrer.',
    ],
    salesforce: [
      'Dans Setup, ouvrez « Single Sign-On Settings », activez SAML et choisissez « New from Metadata URL ». Si Salesforce n’atteint pas ce serveur, choisissez « New » et saisissez les autres valeurs.',
      'Choisissez pour « SAML Identity Type » ce qui identifie vos utilisateurs, par exemple le Federation ID.',
      'Enregistrez, choisissez « Download Metadata » et collez le contenu ici en XML.',
    ],
  },
  other: {
    fields: [
      ['URL des métadonnées', 'metadata'],
      ['ID d’entité (émetteur)', 'entityId'],
      ['URL de connexion (SSO)', 'signOn'],
      ['URL de déconnexion (SLO)', 'logOut'],
    ],
    certificate: 'Certificat',
  },
  downloadMetadata: 'Télécharger les métadonnées',
  downloadCertificate: 'Télécharger le certificat',
  template:
    'Si le produit n’affiche qu’un ID d’entité et une URL ACS, mettez-les dans ce texte à la place de ENTITY_ID et ACS_URL, et collez-le comme métadonnées.',
  templateName: 'Métadonnées à compléter',
}
