/** What each format of the books is, in German; the formats themselves say it in English. */
export const formats: Readonly<Record<string, string>> = {
  hledger: 'Journal für hledger, das dessen strenge Prüfungen besteht',
  ledger: 'Journal für ledger, das --strict --pedantic besteht',
  beancount: 'Bücher für beancount und Fava, mit Saldenprüfungen, wo sie gelten',
  csv: 'CSV, eine Zeile je Buchungszeile',
  jsonl: 'JSON-Zeilen: ein Eintrag je Zeile, mit allem, was über ihn bekannt ist',
  xlsx: 'Excel-Mappe: Journal, Zeilen, Saldenliste, Kontrollsummen, Auffälliges',
  xero: 'manuelle Journale für Xero (CSV), je Währung und 300 Zeilen eine Datei',
  quickbooks: 'Journaleinträge für QuickBooks Online (CSV), je Währung und 1.000 Zeilen eine Datei',
  iif: 'Hauptjournal für QuickBooks Desktop (IIF), eine Datei je Währung',
  datev: 'Buchungsstapel für DATEV (EXTF), eine Datei je Monat und Währung',
  fec: 'Einträge eines Geschäftsjahrs für die französische Verwaltung (FEC), abgeschlossene Monate',
  ofx: 'Kontoauszug (OFX 1.0.2) jedes Verrechnungskontos, für Programme, die abgleichen',
  statement: 'Kontoauszug (CSV) jedes Verrechnungskontos, für Xero und andere Programme, die abgleichen',
  parquet: 'Parquet, eine Zeile je Buchungszeile, eine Datei je Monat, für Datenlager',
};
