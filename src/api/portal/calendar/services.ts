/** The actions on the calendars that are compared with properties of a connection. */
export interface ComparisonServices {
  list(): Promise<object[]>;
  findings(): Promise<object[]>;
  add(draft: { property_id: number; name: string; url: string; source?: string | undefined }): Promise<object>;
  remove(comparisonId: string): Promise<{ comparison_id: string; name: string }>;
  read(comparisonId: string): Promise<object>;
  settle(findingId: string): Promise<{ finding_id: string }>;
}
