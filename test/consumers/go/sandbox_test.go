package annotations

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func newSandbox(t *testing.T) (url, key string) {
	sandboxes := os.Getenv("UNDERSTUDY_URL") + "/__admin/sandboxes"
	response, err := http.Post(sandboxes, "application/json", strings.NewReader(`{"name": "`+t.Name()+`"}`))
	if err != nil || response.StatusCode != 201 {
		t.Fatal(response, err)
	}
	var created struct{ ID, URL, Key string }
	json.NewDecoder(response.Body).Decode(&created)
	end, _ := http.NewRequest("DELETE", sandboxes+"/"+created.ID, nil)
	t.Cleanup(func() { http.DefaultClient.Do(end) })
	return created.URL, created.Key
}
