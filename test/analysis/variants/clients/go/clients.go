package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// author is a value, so that null leaves it empty.
type author struct {
	Email string `json:"email"`
}

// disallowsUnknownFields decodes with all documented fields, and refuses others.
func disallowsUnknownFields() {
	var row struct {
		ID             int64           `json:"id"`
		Content        *string         `json:"content"`
		DateMarker     *time.Time      `json:"date_marker"`
		CreationType   string          `json:"creation_type"`
		DashboardItem  *int64          `json:"dashboard_item"`
		InsightShortID *string         `json:"insight_short_id"`
		InsightName    *string         `json:"insight_name"`
		CreatedBy      json.RawMessage `json:"created_by"`
		CreatedAt      *time.Time      `json:"created_at"`
		UpdatedAt      *time.Time      `json:"updated_at"`
		Deleted        bool            `json:"deleted"`
		Scope          string          `json:"scope"`
	}
	response := send("GET", annotations+"1/", os.Getenv("UNDERSTUDY_KEY"), "")
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	decoder.DisallowUnknownFields()
	must(decoder.Decode(&row))
}

// idsOf32Bits keeps the id of a new row in an int32.
func idsOf32Bits() {
	var row struct {
		ID int32 `json:"id"`
	}
	call("POST", annotations, `{"content": "Launch", "scope": "project"}`, &row)
}

// parsesTimes reads RFC 3339, with any fraction and any offset. null leaves a time empty.
func parsesTimes() {
	var row struct {
		DateMarker time.Time `json:"date_marker"`
		CreatedAt  time.Time `json:"created_at"`
	}
	call("GET", annotations+"1/", "", &row)
}

// layoutWithZ wants a Z. Go reads a fraction of seconds where the layout has none.
func layoutWithZ() {
	var row struct {
		CreatedAt string `json:"created_at"`
	}
	call("GET", annotations+"1/", "", &row)
	_, err := time.Parse("2006-01-02T15:04:05Z", row.CreatedAt)
	must(err)
}

// domainOfAuthor panics for an author without an e-mail address.
func domainOfAuthor() {
	var row struct {
		CreatedBy author `json:"created_by"`
	}
	call("GET", annotations+"1/", "", &row)
	fmt.Println(strings.Split(row.CreatedBy.Email, "@")[1])
}

// tolerantPager follows next, and counts each row once.
func tolerantPager() {
	seen := map[int64]bool{}
	for url := annotations + "?limit=2"; url != ""; {
		var page struct {
			Next    string `json:"next"`
			Results []struct {
				ID      int64  `json:"id"`
				Content string `json:"content"`
			} `json:"results"`
		}
		call("GET", url, "", &page)
		for _, row := range page.Results {
			seen[row.ID] = true
		}
		url = page.Next
	}
	check(len(seen) == 6, "six rows")
}

// colorOfHedgehog wants a color in a map whose keys are arbitrary.
func colorOfHedgehog() {
	var row struct {
		CreatedBy struct {
			HedgehogConfig map[string]any `json:"hedgehog_config"`
		} `json:"created_by"`
	}
	call("GET", annotations+"1/", "", &row)
	fmt.Println(row.CreatedBy.HedgehogConfig["color"].(string))
}

// limitOf1000 takes what comes for all rows.
func limitOf1000() {
	var created struct {
		ID int64 `json:"id"`
	}
	call("POST", annotations, `{"date_marker": "2020-01-01T00:00:00Z", "scope": "project"}`, &created)
	var page struct {
		Results []struct {
			ID int64 `json:"id"`
		} `json:"results"`
	}
	call("GET", annotations+"?limit=1000", "", &page)
	isListed := false
	for _, row := range page.Results {
		isListed = isListed || row.ID == created.ID
	}
	check(isListed, "the new row")
}

// expects401 signs in again after 401 only.
func expects401() {
	response := send("GET", annotations, "phx_revoked", "")
	defer response.Body.Close()
	check(response.StatusCode == 401, "401")
}

// expects403 takes 403 as the sign that a key lacks a scope.
func expects403() {
	response := send("POST", annotations, "phx_annotation_read", `{"content": "Launch"}`)
	defer response.Body.Close()
	check(response.StatusCode == 403, "403")
}

// newestFirst trusts that rows with a date are sorted by it.
func newestFirst() {
	var page struct {
		Next    *string `json:"next"`
		Results []struct {
			DateMarker time.Time `json:"date_marker"`
		} `json:"results"`
	}
	call("GET", annotations, "", &page)
	last := time.Time{}
	for _, row := range page.Results {
		if row.DateMarker.IsZero() {
			continue
		}
		check(last.IsZero() || !row.DateMarker.After(last), "newest rows first")
		last = row.DateMarker
	}
}

// fieldsOfConfig reads config_schema as a list, as one plugin has it.
func fieldsOfConfig() {
	var plugin struct {
		ConfigSchema []struct {
			Key string `json:"key"`
		} `json:"config_schema"`
	}
	call("GET", plugins+"21/", "", &plugin)
	fmt.Println(plugin.ConfigSchema[0].Key)
}

// restores undoes a deletion.
func restores() {
	var row struct {
		Deleted bool `json:"deleted"`
	}
	call("PATCH", annotations+"1/", `{"deleted": true}`, &row)
	call("PATCH", annotations+"1/", `{"deleted": false}`, &row)
	check(!row.Deleted, "a restored row")
}
